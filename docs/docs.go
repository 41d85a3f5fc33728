// Package docs holds the pages that a process shows itself.
package docs

import _ "embed" // of the pages

// Dialects describes the wire contracts of the documents.
//
//go:embed dialects.md
var Dialects string
