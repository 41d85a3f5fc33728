// Package docs embeds the pages that rein itself shows.
package docs

import _ "embed" // of the pages

// Dialects describes the wire contracts of the documents.
//
//go:embed dialects.md
var Dialects string
