package web

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/tool"
)

//go:embed github_search.md
var githubText string

type githubArgs struct {
	Query string `json:"query" jsonschema:"what to search for, with the qualifiers of GitHub" min:"1" max:"256"`
	Kind  string `json:"kind,omitempty" jsonschema:"what to search" enum:"repositories,code,issues" default:"repositories"`
	Count int    `json:"count,omitempty" jsonschema:"how many results to return" min:"1" max:"30" default:"10"`
	Page  int    `json:"page,omitempty" jsonschema:"which page of results" min:"1" max:"100" default:"1"`
}

// Hits is the Data of github.search.
type Hits struct {
	Kind       string `json:"kind"`
	Query      string `json:"query"`
	Page       int    `json:"page"`
	Total      int    `json:"total"`
	Incomplete bool   `json:"incomplete,omitempty"` // GitHub ran out of time
	Hits       []Hit  `json:"hits"`
	Rate       *Rate  `json:"rate,omitempty"`
}

// A Hit is a repository, a file or an issue. All of it is outside text.
type Hit struct {
	Name  string `json:"name"` // "owner/repo", "owner/repo: path" or "owner/repo#1: title"
	URL   string `json:"url"`
	Facts string `json:"facts,omitempty"`
	About string `json:"about,omitempty"`
}

// A Rate is how many searches GitHub still answers, and until when.
type Rate struct {
	Limit     int       `json:"limit"`
	Remaining int       `json:"remaining"`
	Reset     time.Time `json:"reset"`
}

// GitHubSearch is the tool github.search.
func (w *Web) GitHubSearch() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "github.search", Family: "web", Text: githubText, Effect: rein.Pure, Timeout: callTimeout}, w.github)
}

func (w *Web) github(ctx context.Context, inv rein.Invocation, args githubArgs) (rein.Done, error) {
	a, err := w.use(ctx, inv, "github.search", func(s Settings) Service { return s.GitHub })
	if err != nil {
		return rein.Done{}, err
	}
	if args.Kind == "code" && a.key == "" {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "GitHub searches code only with a token, and none is set (web.github_key): search repositories or issues")
	}
	header := map[string]string{"Accept": "application/vnd.github.text-match+json", "X-GitHub-Api-Version": "2022-11-28"}
	if a.key != "" {
		header["Authorization"] = "Bearer " + a.key
	}
	got, err := a.ask(ctx, question{path: "search/" + args.Kind, header: header, query: url.Values{
		"q": {args.Query}, "per_page": {number(args.Count)}, "page": {number(args.Page)},
	}})
	rate := rateOf(got.header)
	if err != nil {
		return rein.Done{}, rate.explain(err)
	}
	var found githubAnswer
	if err := a.read(got, &found); err != nil {
		return rein.Done{}, err
	}
	hits := Hits{Kind: args.Kind, Query: args.Query, Page: args.Page, Total: found.Total, Incomplete: found.Incomplete, Rate: rate, Hits: []Hit{}}
	for _, item := range found.Items {
		if hit := item.hit(args.Kind); hit.URL != "" && len(hits.Hits) < args.Count {
			hits.Hits = append(hits.Hits, hit)
		}
	}
	return done(hits.text(), hits)
}

// rateOf reads how many searches are left; nil: GitHub does not say.
func rateOf(header http.Header) *Rate {
	limit, noLimit := strconv.Atoi(header.Get("X-RateLimit-Limit"))
	left, none := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	reset, never := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64)
	if noLimit != nil || none != nil || never != nil {
		return nil
	}
	return &Rate{Limit: limit, Remaining: left, Reset: time.Unix(reset, 0).UTC()}
}

// explain says of an error that it is a limit that was reached: GitHub answers 403 then, as for a wrong token.
func (r *Rate) explain(err error) error {
	if r == nil || r.Remaining > 0 || rein.CodeOf(err) == rein.CodeOverloaded {
		return err
	}
	return rein.Errorf(rein.CodeRateLimited, "GitHub answers %d searches a minute, and they are used up until %s: wait, or set a token with web.github_key for more", r.Limit, r.Reset.Format(time.TimeOnly+" MST"))
}

func (h *Hits) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d %s that GitHub found for %q, page %d.\n", len(h.Hits), h.Total, h.Kind, h.Query, h.Page)
	if h.Incomplete {
		b.WriteString("[GitHub did not look at everything: narrow the query down]\n")
	}
	for i, hit := range h.Hits {
		fmt.Fprintf(&b, "\n%d. %s\n   %s\n", i+1, hit.Name, hit.URL)
		for _, more := range []string{hit.Facts, hit.About} {
			if more != "" {
				b.WriteString("   " + more + "\n")
			}
		}
	}
	if h.Rate != nil {
		fmt.Fprintf(&b, "\n[%d of %d searches are left until %s]\n", h.Rate.Remaining, h.Rate.Limit, h.Rate.Reset.Format(time.TimeOnly+" MST"))
	}
	return b.String()
}
