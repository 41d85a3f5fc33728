package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/tool/web"
)

// What SearXNG answers, as its documentation of the search API and its JSON have it.
const searxngBody = `{"query": "zwembad utrecht", "number_of_results": 0, "results": [
 {"url": "https://zwembad.example/tijden", "title": "Openingstijden &amp; tarieven", "content": "Open <b>10-17</b> uur", "engine": "duckduckgo", "template": "default.html",
  "parsed_url": ["https", "zwembad.example", "/tijden", "", "", ""], "img_src": "", "thumbnail": null, "engines": ["duckduckgo", "brave"], "positions": [1, 3], "publishedDate": "2026-10-02T00:00:00", "score": 4.0, "category": "general"},
 {"url": "javascript:alert(1)", "title": "evil", "content": "", "engine": "x", "engines": ["x"], "positions": [2], "score": 1, "category": "general", "publishedDate": null},
 {"url": "http://me:pw@example.org/", "title": "evil", "content": null, "engine": "x", "category": "general"},
 {"url": "https://other.example/", "title": "Second", "content": "", "engine": "x", "category": "general", "price": 12, "metadata": {"odd": true}}, "not a result"],
 "answers": [], "corrections": [], "infoboxes": [], "suggestions": ["zwembad den hommel"], "unresponsive_engines": [["google", "Suspended: too many requests"]]}`

// SearXNG is asked as it documents, and its results are plain lines with addresses.
//
// Covers: SD-92 NEU-56/research
func TestSearXNG(t *testing.T) {
	t.Parallel()
	s := serve(t, 200, searxngBody)
	settings := web.Settings{Search: web.Service{Kind: web.SearXNG, URL: s.URL + "/searx/", Setting: "web.search"}}
	for _, name := range []string{"web.search", "search_web"} {
		done, err := call(t, settings, name, `{"query": " zwembad utrecht ", "page": 2, "recent": "week", "language": "nl", "count": 5}`)
		if err != nil {
			t.Fatal(err)
		}
		has(t, done.Text, "2 results of searxng", "1. Openingstijden & tarieven\n   https://zwembad.example/tijden\n   2026-10-02: Open 10-17 uur\n", "2. Second\n   https://other.example/\n\n",
			"[these engines did not answer: google: Suspended: too many requests]", "[3 results without an address of the web were left out]")
		var found web.Found
		if err := json.Unmarshal(done.Data, &found); err != nil || len(found.Results) != 2 || found.Service != "searxng" || found.Results[0].Published != "2026-10-02" {
			t.Errorf("%+v, %v", found, err)
		}
		if done.FromPerson || done.Evidence != "" {
			t.Error("what a search found counts as more than outside text")
		}
	}
	r, n := s.last()
	if n != 2 || r.method != "GET" || r.path != "/searx/search" || r.query.Encode() != "format=json&language=nl&pageno=2&q=zwembad+utrecht&time_range=week" || r.header.Get("User-Agent") != "rein/test" || r.header.Get("Authorization") != "" {
		t.Errorf("%d: %+v", n, r)
	}
}

// Brave is asked with its header, and its pages count from 0.
//
// Covers: SD-92
func TestBrave(t *testing.T) {
	t.Parallel()
	s := serve(t, 200, `{"type": "search", "query": {"original": "raft", "more_results_available": true}, "mixed": {"type": "mixed", "main": []},
	 "web": {"type": "search", "family_friendly": true, "results": [{"title": "Raft", "url": "https://raft.example/", "is_source_local": false, "description": "A consensus algorithm", "page_age": "2025-03-10T09:20:11", "age": "March 10, 2025",
	 "profile": {"name": "Raft"}, "language": "en", "family_friendly": true, "type": "search_result", "subtype": "generic", "extra_snippets": ["Leaders are elected", "Logs are replicated"]}]}}`,
		"X-RateLimit-Limit", "1, 15000", "X-RateLimit-Remaining", "0, 14999", "X-RateLimit-Reset", "1, 1419704")
	settings := web.Settings{Search: keyed(web.Brave, s.URL, "web.search")}
	done, err := call(t, settings, "web.search", `{"query": "raft", "page": 3, "recent": "month", "language": "pt-BR"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, "1. Raft\n   https://raft.example/\n   2025-03-10: A consensus algorithm … Leaders are elected … Logs are replicated\n")
	r, _ := s.last()
	if r.path != "/res/v1/web/search" || r.header.Get("X-Subscription-Token") != key || r.query.Encode() != "count=8&freshness=pm&offset=2&q=raft&result_filter=web&search_lang=pt-br&text_decorations=false" {
		t.Errorf("%+v", r)
	}
	for given, want := range map[string]string{"ja": "jp", "zh-CN": "zh-hans", "xx": "", "NL": "nl", "en-US": "en", "": ""} {
		if _, err := call(t, settings, "web.search", `{"query": "x", "language": "`+given+`"}`); err != nil {
			t.Fatal(err)
		}
		if r, _ := s.last(); r.query.Get("search_lang") != want {
			t.Errorf("%q: %q", given, r.query.Get("search_lang"))
		}
	}
}

// Tavily is asked by POST with a bearer token; it has one page.
//
// Covers: SD-92
func TestTavily(t *testing.T) {
	t.Parallel()
	s := serve(t, 200, `{"query": "Who is Leo Messi?", "follow_up_questions": null, "answer": null, "images": [], "results": [
	 {"title": "Lionel Messi", "url": "https://messi.example/", "content": "A footballer", "score": 0.98, "raw_content": null, "published_date": "Mon, 02 Nov 2026 10:00:00 GMT"}], "response_time": 1.09, "request_id": "123e4567"}`)
	settings := web.Settings{Search: keyed(web.Tavily, s.URL, "web.search")}
	done, err := call(t, settings, "web.search", `{"query": "Who is Leo Messi?", "count": 3, "recent": "day"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, "1. Lionel Messi\n   https://messi.example/\n   Mon, 02 Nov 2026 10:00:00 GMT: A footballer\n")
	r, n := s.last()
	if r.method != "POST" || r.path != "/search" || r.header.Get("Authorization") != "Bearer "+key || r.header.Get("Content-Type") != "application/json" ||
		r.body != `{"query":"Who is Leo Messi?","max_results":3,"search_depth":"basic","time_range":"day"}` {
		t.Errorf("%+v", r)
	}
	_, err = call(t, settings, "web.search", `{"query": "x", "page": 2}`)
	fails(t, "a second page", err, rein.CodeInvalid, "one page")
	if _, again := s.last(); again != n {
		t.Error("it was asked anyway")
	}
}

// What a service refuses, and what goes wrong on the way, is said in words that help, in the shape of each service.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind string
		status     int
		body       string
		headers    []string
		code       rein.Code
		words      string
	}{
		{"a wrong key, Tavily", web.Tavily, 401, `{"detail": {"error": "Unauthorized: missing or invalid API key."}}`, nil, rein.CodeUnauthorized, "check web.search_key (Unauthorized: missing or invalid API key.)"},
		{"the plan is used up, Tavily", web.Tavily, 432, `{"detail": {"error": "This request exceeds your plan's set usage limit."}}`, nil, rein.CodeProvider, "status 432 (This request exceeds"},
		{"too many, Tavily", web.Tavily, 429, `{"detail": {"error": "Your request has been blocked due to excessive requests."}}`, []string{"Retry-After", "12"}, rein.CodeRateLimited, "wait 12s"},
		{"a wrong key, Brave", web.Brave, 403, `{"type": "ErrorResponse", "error": {"id": "1", "status": 403, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided subscription token is invalid."}, "time": 1}`, nil, rein.CodeUnauthorized, "The provided subscription token is invalid."},
		{"a wrong value, Brave", web.Brave, 422, `{"type": "ErrorResponse", "error": {"code": "VALIDATION", "detail": "Unable to validate request parameter(s)"}}`, nil, rein.CodeProvider, "status 422 (Unable to validate"},
		{"too many, Brave", web.Brave, 429, `{"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "detail": "Request rate limit exceeded for plan."}}`, nil, rein.CodeRateLimited, "Request rate limit exceeded"},
		{"JSON is off, SearXNG", web.SearXNG, 403, "<!doctype html>\n<title>403 Forbidden</title>", nil, rein.CodeUnavailable, "add json to search.formats"},
		{"a page, SearXNG", web.SearXNG, 200, "<!doctype html>", nil, rein.CodeProvider, "check web.search_url"},
		{"it fails", web.Brave, 502, "bad gateway", nil, rein.CodeOverloaded, "status 502: try again later"},
		{"it redirects", web.SearXNG, 302, "", []string{"Location", "http://169.254.169.254/"}, rein.CodeProvider, "redirects, which is not followed: check web.search_url"},
		{"a list", web.Tavily, 200, `[]`, nil, rein.CodeProvider, "the JSON that it documents"},
		{"wrong types", web.Brave, 200, `{"web": {"results": [{"title": 7}]}}`, nil, rein.CodeProvider, "the JSON that it documents"},
		{"it repeats the key", web.Brave, 500, `{"message": "token ` + key + ` is bad"}`, nil, rein.CodeOverloaded, "token [redacted: key] is bad"},
	} {
		s := serve(t, c.status, c.body, c.headers...)
		service := keyed(c.kind, s.URL, "web.search")
		if c.kind == web.SearXNG {
			service.Key = nil
		}
		_, err := call(t, web.Settings{Search: service}, "web.search", `{"query": "x"}`)
		fails(t, c.name, err, c.code, c.words)
	}
}

// A service that does not answer, sends too much, or is not there.
//
// Attack: 83
func TestUnreachable(t *testing.T) {
	t.Parallel()
	silent := serveBy(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	service := web.Settings{Timeout: 200 * time.Millisecond, Search: web.Service{Kind: web.SearXNG, URL: silent.URL, Setting: "web.search"}}
	_, err := call(t, service, "web.search", `{"query": "x"}`)
	fails(t, "silent", err, rein.CodeTimeout, "searxng did not answer within 200ms")

	endless := serveBy(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(strings.Repeat(" ", 1<<16))); err != nil {
				return
			}
		}
	})
	_, err = call(t, web.Settings{Search: web.Service{Kind: web.SearXNG, URL: endless.URL, Setting: "web.search"}}, "web.search", `{"query": "x"}`)
	fails(t, "endless", err, rein.CodeProvider, "more than 4 MiB")

	gone := serve(t, 200, "{}")
	gone.Close()
	_, err = call(t, web.Settings{Search: keyed(web.SearXNG, gone.URL, "web.search")}, "web.search", `{"query": "x"}`)
	fails(t, "gone", err, rein.CodeUnreachable, "searxng cannot be reached")
}

// A tool that is not set up says what is missing and sends nothing.
func TestNotSetUp(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"web.search": `{"query": "x"}`, "search_web": `{"query": "x"}`, "web.shopping_search": `{"query": "x"}`, "github.search": `{"query": "x"}`, "web.fetch_url": `{"url": "https://example.org/"}`,
	} {
		_, err := callWith(t, web.Options{}, name, args)
		fails(t, name, err, rein.CodeUnavailable, "not set up")
	}
	_, err := call(t, web.Settings{Search: web.Service{Kind: web.Brave, Setting: "web.search"}}, "web.search", `{"query": "x"}`)
	fails(t, "no key", err, rein.CodeUnavailable, "set web.search_key")
	broken := web.Service{Kind: web.Brave, Setting: "web.search", Key: func(context.Context, rein.Invocation) (string, error) {
		return "", errors.New("$BRAVE_API_KEY is not set")
	}}
	_, err = call(t, web.Settings{Search: broken}, "web.search", `{"query": "x"}`)
	fails(t, "a key that is gone", err, rein.CodeUnavailable, "$BRAVE_API_KEY is not set")
	_, err = call(t, web.Settings{Search: web.Service{Kind: web.SearXNG, Setting: "web.search"}}, "web.search", `{"query": "x"}`)
	fails(t, "no address", err, rein.CodeUnavailable, "set web.search_url")
	_, err = call(t, web.Settings{Search: web.Service{Kind: "askjeeves", Setting: "web.search"}}, "web.search", `{"query": "x"}`)
	fails(t, "an unknown service", err, rein.CodeUnavailable, "searxng, brave, tavily")
	_, err = call(t, web.Settings{Shopping: keyed(web.Brave, "", "web.shopping")}, "web.shopping_search", `{"query": "x"}`)
	fails(t, "a service without offers", err, rein.CodeUnavailable, "has no offers")
	_, err = call(t, web.Settings{Search: keyed(web.Brave, "", "web.search")}, "web.search", `{"query": "  "}`)
	fails(t, "no query", err, rein.CodeInvalid, "empty")
}
