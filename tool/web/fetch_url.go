package web

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"rein"
	"rein/internal/outbound"
	"rein/tool"
	"rein/tool/web/page"
)

//go:embed fetch_url.md
var fetchText string

const (
	maxURL  = 2048
	maxPage = 4 << 20 // bytes of a page that are read
	oneTime = 100_000 // bytes of its text that one call returns; the engine shows a part, and keeps all
)

type fetchArgs struct {
	URL    string `json:"url" jsonschema:"the address of the page, with https:// or http://" min:"1" max:"2048"`
	Offset int    `json:"offset,omitempty" jsonschema:"the byte of its text to begin at, as the note of an earlier call gives it" min:"0" default:"0"`
}

// Fetched is the Data of web.fetch_url.
type Fetched struct {
	URL    string `json:"url"`             // where the page is
	Asked  string `json:"asked,omitempty"` // the address that led there, if it is another
	Title  string `json:"title,omitempty"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"` // of the text that was returned
	Total  int    `json:"total"` // of all text
	Next   *int   `json:"next_offset,omitempty"`
	Cut    bool   `json:"cut,omitempty"` // the page is longer than what was read of it
}

// FetchURL is the tool web.fetch_url.
func (w *Web) FetchURL() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "web.fetch_url", Family: "web", Text: fetchText, Effect: rein.Pure, Timeout: callTimeout}, w.fetch)
}

func (w *Web) fetch(ctx context.Context, _ rein.Invocation, args fetchArgs) (rein.Done, error) {
	s := w.o.Settings()
	if !s.Fetch {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "web.fetch_url is not set up here: the settings do not turn it on (web.fetch)")
	}
	address, err := pageAddress(args.URL)
	if err != nil {
		return rein.Done{}, err
	}
	client := outbound.New(outbound.Options{Allow: s.Allow, Hosts: s.Hosts, Timeout: s.timeout(), Body: maxPage, Resolver: w.o.Resolver})
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%.200q is no address", args.URL)
	}
	request.Header.Set("User-Agent", w.o.Agent)
	request.Header.Set("Accept", "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.9, text/*;q=0.8, */*;q=0.1")
	response, err := client.Do(request)
	if err != nil {
		return rein.Done{}, unfetched(address, err)
	}
	defer response.Body.Close()
	return read(address, response, args.Offset)
}

// pageAddress reads an address as people write it. Its fragment is a place on the page, and is not sent.
func pageAddress(written string) (*url.URL, error) {
	written = strings.TrimSpace(written)
	if !strings.Contains(written, "://") && !strings.HasPrefix(written, "/") && strings.Contains(written, ".") {
		written = "https://" + written
	}
	address, err := url.Parse(written)
	if err != nil || address.Host == "" && (address.Scheme == "http" || address.Scheme == "https" || address.Scheme == "") {
		return nil, rein.Errorf(rein.CodeInvalid, "%.200q is not the address of a page: write it as https://host/path", written)
	}
	address.Fragment, address.RawFragment = "", ""
	return address, nil
}

// unfetched says why a page was not read.
func unfetched(address *url.URL, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if _, refused := errors.AsType[*outbound.RefusedError](err); refused {
		return rein.Errorf(rein.CodeForbidden, "%s was not fetched: %s. Only pages of the internet can be fetched, and what the settings allow (web.allow)", shown(address), outbound.Reason(err))
	}
	if outbound.IsTimeout(err) {
		return rein.Errorf(rein.CodeTimeout, "%s did not answer in time", shown(address))
	}
	return rein.Errorf(rein.CodeUnreachable, "%s was not fetched: %s", shown(address), outbound.Reason(err))
}

// shown is an address in an error.
func shown(address *url.URL) string { return rein.Clip(address.Redacted(), 300) }

// read makes the result of a page.
func read(asked *url.URL, response *http.Response, offset int) (rein.Done, error) {
	at := response.Request.URL
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return rein.Done{}, badStatus(at, response)
	}
	if how := response.Header.Get("Content-Encoding"); how != "" {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%s is packed as %.20q, which it was not asked for", shown(at), how)
	}
	body, err := io.ReadAll(response.Body)
	long := errors.Is(err, outbound.ErrTooLong)
	if err != nil && !long {
		return rein.Done{}, unfetched(at, err)
	}
	p, err := page.Read(body, response.Header.Get("Content-Type"), at)
	if err != nil {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%s: %w", shown(at), err)
	}
	p.Cut = p.Cut || long
	f := Fetched{URL: at.String(), Title: rein.Clip(p.Title, 300), Type: p.Type, Offset: offset, Total: len(p.Text), Cut: p.Cut}
	if asked.String() != f.URL {
		f.Asked = asked.String()
	}
	return f.slice(p.Text)
}

// badStatus is the error of a server that has no page to show.
func badStatus(at *url.URL, response *http.Response) error {
	code, advice := rein.CodeProvider, ""
	switch status := response.StatusCode; {
	case status == http.StatusNotFound || status == http.StatusGone:
		code, advice = rein.CodeNotFound, ": there is no such page"
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusPaymentRequired:
		code, advice = rein.CodeForbidden, ": the page is not for everyone, or not for programs"
	case status == http.StatusTooManyRequests:
		code, advice = rein.CodeRateLimited, ": try again later"
	case status >= 500:
		code, advice = rein.CodeOverloaded, ": try again later"
	}
	return rein.Errorf(code, "%s answered with status %d%s", shown(at), response.StatusCode, advice)
}

// slice returns the part of the text from the offset on, in whole lines where that can be.
func (f Fetched) slice(text string) (rein.Done, error) {
	if f.Offset > 0 && f.Offset >= len(text) {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "offset %d is beyond the text of the page, which has %d bytes", f.Offset, len(text))
	}
	part := text[f.Offset:]
	if len(part) > oneTime {
		part = part[:oneTime]
		if i := strings.LastIndexByte(part, '\n'); i > oneTime/2 {
			part = part[:i+1]
		}
		part = strings.ToValidUTF8(part, "") // half a character at its end
		next := f.Offset + len(part)
		f.Next = &next
	}
	f.Bytes = len(part)
	return done(f.text(strings.ToValidUTF8(part, "")), f)
}

func (f Fetched) text(part string) string {
	var b strings.Builder
	b.WriteString(f.URL + "\n")
	if f.Asked != "" {
		b.WriteString("[redirected from " + f.Asked + "]\n")
	}
	if f.Title != "" && f.Offset == 0 {
		b.WriteString("Title: " + f.Title + "\n")
	}
	b.WriteString("\n" + part + "\n")
	switch {
	case part == "" && f.Cut:
		b.WriteString("[the page has no text in its first part, and is too long to read]\n")
	case part == "":
		b.WriteString("[the page has no text; it may need a browser]\n")
	case f.Next != nil:
		fmt.Fprintf(&b, "[bytes %d to %d of %d; continue with offset %d]\n", f.Offset, f.Offset+f.Bytes, f.Total, *f.Next)
	case f.Cut:
		b.WriteString("[the page is longer than what can be read of it]\n")
	}
	return b.String()
}
