"""Where a JavaScript or TypeScript text can be wrong in a way that tests should notice."""
