package journal

// OpenAtMost is OpenAt with another size of the first piece.
var OpenAtMost = openAt
