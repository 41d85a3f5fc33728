// Package export writes a session as one document for people: an HTML page that needs nothing else, or Markdown. It reads
// the session through a client of the API, folds each run into its timeline, and writes it before it reads the next, so
// that it keeps no more than one run in memory.
//
// What models, tools and people wrote is data. On the page it is escaped, or rendered by a Markdown renderer that lets no
// HTML, no remote image and no address through that is not http, https or mailto, and the page forbids scripts and anything
// from elsewhere. In Markdown it stands in fences that it cannot close.
package export
