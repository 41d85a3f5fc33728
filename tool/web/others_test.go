package web_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"rein"
	"rein/tool/web"
)

// SearXNG has offers in its category shopping. Pages of another category are no offers.
//
// Covers: NEU-56/research
func TestShoppingBySearXNG(t *testing.T) {
	t.Parallel()
	s := serve(t, 200, `{"query": "fiets", "results": [
	 {"url": "https://www.ebay.example/itm/1", "title": "Fiets 28 inch", "content": "", "price": "EUR 120,00", "shipping": "+EUR 25,00 verzending", "source_country": "uit Duitsland", "thumbnail": "https://i.example/1.jpg", "template": "products.html", "engine": "ebay", "category": "shopping", "score": 1.0},
	 {"url": "https://geizhals.example/2", "title": "Rad", "content": "Gewicht: 14 kg", "metadata": "4.5, 12 Angebote", "template": "products.html", "engine": "geizhals", "category": "shopping"},
	 {"url": "https://blog.example/", "title": "The ten best bikes", "content": "", "template": "default.html", "engine": "google", "category": "general"}], "unresponsive_engines": []}`)
	settings := web.Settings{Shopping: web.Service{Kind: web.SearXNG, URL: s.URL, Setting: "web.shopping"}}
	done, err := call(t, settings, "web.shopping_search", `{"query": "fiets", "language": "nl"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, "2 offers of searxng", "1. Fiets 28 inch\n   EUR 120,00; +EUR 25,00 verzending uit Duitsland\n   https://www.ebay.example/itm/1\n", "2. Rad\n   no price given\n   https://geizhals.example/2\n   Gewicht: 14 kg 4.5, 12 Angebote\n")
	if r, _ := s.last(); r.query.Get("categories") != "shopping" || r.query.Get("format") != "json" || r.query.Get("language") != "nl" {
		t.Errorf("%+v", r)
	}
	general := serve(t, 200, searxngBody)
	_, err = call(t, web.Settings{Shopping: web.Service{Kind: web.SearXNG, URL: general.URL, Setting: "web.shopping"}}, "web.shopping_search", `{"query": "fiets"}`)
	fails(t, "only pages", err, rein.CodeUnavailable, "enable one of its category shopping")
}

// SerpApi takes its key in the query, and nothing that is shown has it.
//
// Covers: NEU-56/research
func TestShoppingBySerpAPI(t *testing.T) {
	t.Parallel()
	s := serve(t, 200, `{"search_metadata": {"id": "1", "status": "Success"}, "search_parameters": {"engine": "google_shopping", "q": "coffee"}, "shopping_results": [
	 {"position": 1, "title": "Dark Roast", "product_link": "https://www.google.example/shopping/product/1", "product_id": "1", "source": "Roasters", "price": "$12.99", "extracted_price": 12.99, "old_price": "$15.99", "extracted_old_price": 15.99, "rating": 4.6, "reviews": 1300, "delivery": "Free delivery", "thumbnail": "data:image/webp;base64,xx"},
	 {"position": 2, "title": "Used grinder", "link": "https://shop.example/2", "source": "Shop", "price": "$30.00", "second_hand_condition": "used"},
	 {"position": 3, "title": "No link", "price": "$1"}]}`)
	settings := web.Settings{Shopping: keyed(web.SerpAPI, s.URL, "web.shopping")}
	done, err := call(t, settings, "web.shopping_search", `{"query": "coffee", "country": "NL", "language": "nl-NL"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, "1. Dark Roast\n   $12.99 (before: $15.99); Roasters; Free delivery; rated 4.6 by 1300\n   https://www.google.example/shopping/product/1\n", "2. Used grinder\n   $30.00; Shop\n   https://shop.example/2\n   used\n", "2 offers")
	if r, _ := s.last(); r.path != "/search.json" || r.query.Get("api_key") != key || r.query.Get("engine") != "google_shopping" || r.query.Get("gl") != "nl" || r.query.Get("hl") != "nl" {
		t.Errorf("%+v", r)
	}
	for name, c := range map[string]struct {
		status int
		body   string
	}{"wrong key": {401, `{"error": "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"}`}, "gone": {0, ""}} {
		s := serve(t, max(c.status, 200), c.body)
		if c.status == 0 {
			s.Close()
		}
		_, err := call(t, web.Settings{Shopping: keyed(web.SerpAPI, s.URL, "web.shopping")}, "web.shopping_search", `{"query": "x"}`) // call looks for the key
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	none := serve(t, 200, `{"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."}`)
	done, err = call(t, web.Settings{Shopping: keyed(web.SerpAPI, none.URL, "web.shopping")}, "web.shopping_search", `{"query": "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text, "0 offers", "Google hasn't returned any results")
}

var githubBodies = map[string]string{
	"repositories": `{"total_count": 40, "incomplete_results": true, "items": [{"id": 3081286, "name": "Tetris", "full_name": "dtrupenn/Tetris", "owner": {"login": "dtrupenn"}, "private": false, "html_url": "https://github.com/dtrupenn/Tetris", "description": "A C implementation of Tetris", "fork": false,
	 "pushed_at": "2012-01-01T00:31:50Z", "stargazers_count": 7, "language": "Assembly", "license": {"key": "mit", "spdx_id": "MIT"}, "archived": true, "topics": ["game"], "score": 1}, {"full_name": "x/y", "html_url": "https://github.com/x/y", "description": null, "language": null, "license": null}]}`,
	"code": `{"total_count": 7, "incomplete_results": false, "items": [{"name": "classes.js", "path": "src/attributes/classes.js", "sha": "d7212f9dee2dcc18f084d7df8f417b80846ded5a", "html_url": "https://github.com/jquery/jquery/blob/825ac37/src/attributes/classes.js",
	 "repository": {"id": 167174, "full_name": "jquery/jquery"}, "score": 1, "text_matches": [{"object_type": "FileContent", "property": "content", "fragment": "if (a <b>) {\n  addClass();", "matches": [{"text": "addClass", "indices": [1, 2]}]}]}]}`,
	"issues": `{"total_count": 280, "incomplete_results": false, "items": [{"url": "https://api.github.com/repos/batterseapower/pinyin-toolkit/issues/132", "repository_url": "https://api.github.com/repos/batterseapower/pinyin-toolkit", "html_url": "https://github.com/batterseapower/pinyin-toolkit/issues/132", "number": 132, "title": "Line Number Indexes Beyond 20 Not Displayed",
	 "user": {"login": "Nick3C"}, "labels": [{"name": "bug"}], "state": "open", "comments": 15, "created_at": "2009-07-12T20:10:41Z", "closed_at": null, "body": "...", "score": 1},
	 {"repository_url": "https://api.github.com/repos/a/b", "html_url": "https://github.com/a/b/pull/2", "number": 2, "title": "Fix", "user": {"login": "c"}, "labels": [], "state": "closed", "comments": 0, "created_at": "2026-01-01T00:00:00Z", "pull_request": {"url": "https://api.github.com/repos/a/b/pulls/2"}, "body": null}]}`,
}

// GitHub is asked by its REST API; the result says what is left of its limit.
//
// Covers: NEU-56/research
func TestGitHub(t *testing.T) {
	t.Parallel()
	reset := time.Date(2026, 11, 16, 12, 34, 0, 0, time.UTC)
	for kind, want := range map[string][]string{
		"repositories": {"2 of 40 repositories", "1. dtrupenn/Tetris\n   https://github.com/dtrupenn/Tetris\n   7 stars, Assembly, MIT, last change 2012-01-01, archived\n   A C implementation of Tetris\n", "2. x/y\n   https://github.com/x/y\n   0 stars\n", "narrow the query down"},
		"code":         {"1. jquery/jquery: src/attributes/classes.js\n   https://github.com/jquery/jquery/blob/825ac37/src/attributes/classes.js\n   if (a <b>) { addClass();\n"},
		"issues":       {"1. batterseapower/pinyin-toolkit#132: Line Number Indexes Beyond 20 Not Displayed\n", "issue, open, by Nick3C on 2009-07-12, 15 comments, bug", "2. a/b#2: Fix\n", "pull request, closed, by c"},
	} {
		s := serve(t, 200, githubBodies[kind], "X-RateLimit-Limit", "30", "X-RateLimit-Remaining", "29", "X-RateLimit-Reset", fmt.Sprint(reset.Unix()), "X-RateLimit-Resource", "search")
		done, err := call(t, web.Settings{GitHub: keyed(web.GitHub, s.URL+"/api/v3", "web.github")}, "github.search", `{"query": "tetris language:assembly", "kind": "`+kind+`", "count": 5, "page": 2}`)
		if err != nil {
			t.Fatal(err)
		}
		has(t, done.Text, append(want, "[29 of 30 searches are left until 12:34:00 UTC]")...)
		var hits web.Hits
		if err := json.Unmarshal(done.Data, &hits); err != nil || hits.Rate == nil || hits.Rate.Remaining != 29 || !hits.Rate.Reset.Equal(reset) {
			t.Errorf("%+v, %v", hits, err)
		}
		r, _ := s.last()
		if r.path != "/api/v3/search/"+kind || r.query.Encode() != "page=2&per_page=5&q=tetris+language%3Aassembly" || r.header.Get("Authorization") != "Bearer "+key ||
			r.header.Get("Accept") != "application/vnd.github.text-match+json" || r.header.Get("X-GitHub-Api-Version") != "2022-11-28" {
			t.Errorf("%+v", r)
		}
	}
}

// Without a token code is not searched, and a reached limit does not look like a wrong token.
func TestGitHubRefusals(t *testing.T) {
	t.Parallel()
	open := web.Service{Kind: web.GitHub, Setting: "web.github"}
	_, err := call(t, web.Settings{GitHub: open}, "github.search", `{"query": "x", "kind": "code"}`)
	fails(t, "code", err, rein.CodeUnavailable, "only with a token", "web.github_key")
	limit := serve(t, 403, `{"message": "API rate limit exceeded for 203.0.113.7.", "documentation_url": "https://docs.github.com/rest"}`, "X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1794832440")
	open.URL = limit.URL
	_, err = call(t, web.Settings{GitHub: open}, "github.search", `{"query": "x"}`)
	fails(t, "the limit", err, rein.CodeRateLimited, "10 searches a minute", "until 12:34:00 UTC")
	wrong := serve(t, 401, `{"message": "Bad credentials"}`, "X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "9", "X-RateLimit-Reset", "1794832440")
	_, err = call(t, web.Settings{GitHub: keyed(web.GitHub, wrong.URL, "web.github")}, "github.search", `{"query": "x"}`)
	fails(t, "a wrong token", err, rein.CodeUnauthorized, "check web.github_key (Bad credentials)")
	query := serve(t, 422, `{"message": "Validation Failed", "errors": [{"message": "Query must include 'is:issue' or 'is:pull-request'", "resource": "Search", "field": "q", "code": "invalid"}]}`)
	_, err = call(t, web.Settings{GitHub: keyed(web.GitHub, query.URL, "web.github")}, "github.search", `{"query": "x", "kind": "issues"}`)
	fails(t, "a wrong query", err, rein.CodeProvider, "Validation Failed", "is:issue")
}
