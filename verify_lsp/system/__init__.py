"""The world: processes, git, files, locks, folders. Nothing else here touches it."""
