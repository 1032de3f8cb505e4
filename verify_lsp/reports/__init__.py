"""Reports: kept on disk, compared, and written for people and for machines."""
