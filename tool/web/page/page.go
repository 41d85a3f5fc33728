// Package page turns what a web server sent into text that a model can read: headings, paragraphs, lists,
// tables and links of HTML, and plain text as it stands. Scripts, styles, menus and hidden parts are left out.
// It fetches nothing.
package page

import (
	"bytes"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"rein"
)

// A Page is what can be read of one.
type Page struct {
	Title string
	Text  string
	Type  string // of the media, without parameters
	Cut   bool   // it has more text than is kept
}

// maxText is the most text that is made of a page.
const maxText = 2 << 20

// Read makes text of a body. The address is where it was found, for links that are relative to it. A type that
// cannot be read is an error that says what it is.
func Read(body []byte, contentType string, at *url.URL) (Page, error) {
	media := mediaType(body, contentType)
	switch {
	case media == "application/pdf" || bytes.HasPrefix(body, []byte("%PDF-")):
		return Page{}, rein.Errorf(rein.CodeInvalid, "it is a PDF file, which cannot be read here: look for a page with the same content")
	case media == "text/html" || media == "application/xhtml+xml":
		return readHTML(decoded(body, contentType), at), nil
	case isText(media) && bytes.IndexByte(body, 0) < 0 || isWide(body):
		return readText(decoded(body, contentType), media), nil
	}
	return Page{}, rein.Errorf(rein.CodeInvalid, "it is %.80q, which is not text: only HTML, plain text, JSON and XML can be read", media)
}

// mediaType is what a server says that it sent, or what it looks like if the server does not say.
func mediaType(body []byte, contentType string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && media == "" {
		media = strings.ToLower(strings.TrimSpace(strings.SplitN(contentType, ";", 2)[0]))
	}
	if media == "" || media == "application/octet-stream" || media == "unknown/unknown" {
		media, _, _ = mime.ParseMediaType(http.DetectContentType(body))
	}
	return media
}

// readable are the types beside text/* that are text.
var readable = []string{"application/json", "application/xml", "application/javascript", "application/yaml", "application/x-yaml", "application/toml", "application/x-ndjson", "application/ld+json"}

func isText(media string) bool {
	return strings.HasPrefix(media, "text/") || slices.Contains(readable, media) || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+xml")
}

// isWide reports whether a text says that it is UTF-16, which has zeros in it.
func isWide(body []byte) bool {
	return bytes.HasPrefix(body, []byte{0xff, 0xfe}) || bytes.HasPrefix(body, []byte{0xfe, 0xff})
}

// decoded is a body in UTF-8: as its first bytes say, its header, its meta elements, or what it looks like.
func decoded(body []byte, contentType string) string {
	encoding, name, certain := charset.DetermineEncoding(body, contentType)
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil || name == "windows-1252" && !certain && utf8.Valid(body) { // which is what it guesses by the first bytes
		text = body
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\uFFFD"), "\uFEFF")
}

func readText(text, media string) Page {
	p := Page{Text: strings.ReplaceAll(text, "\r\n", "\n"), Type: media}
	if len(p.Text) > maxText {
		p.Text, p.Cut = strings.ToValidUTF8(p.Text[:maxText], ""), true
	}
	return p
}
