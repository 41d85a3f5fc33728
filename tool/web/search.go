package web

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"rein"
	"rein/tool"
	"rein/tool/web/page"
)

//go:embed search.md
var searchText string

type searchArgs struct {
	Query    string `json:"query" jsonschema:"what to search for" min:"1" max:"400"`
	Count    int    `json:"count,omitempty" jsonschema:"how many results to return" min:"1" max:"20" default:"8"`
	Page     int    `json:"page,omitempty" jsonschema:"which page of results" min:"1" max:"10" default:"1"`
	Recent   string `json:"recent,omitempty" jsonschema:"only what was published in the last day, week, month or year" enum:"day,week,month,year"`
	Language string `json:"language,omitempty" jsonschema:"the language of results, such as nl; without it the service decides" max:"10"`
}

// Found is the Data of web.search.
type Found struct {
	Service string   `json:"service"`
	Query   string   `json:"query"`
	Page    int      `json:"page"`
	Results []Result `json:"results"`
	Notices []string `json:"notices,omitempty"`
}

// A Result is one page that a search found. All of it is outside text.
type Result struct {
	Title     string `json:"title"`
	URL       string `json:"url"`
	Snippet   string `json:"snippet,omitempty"`
	Published string `json:"published,omitempty"` // as the service writes it
}

// Search is the tool web.search.
func (w *Web) Search() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "web.search", Family: "web", Text: searchText, Effect: rein.Pure, Timeout: callTimeout}, w.search)
}

// SearchWeb is web.search by the name that the flow operate knows.
func (w *Web) SearchWeb() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "search_web", Family: "web", Text: searchText, Effect: rein.Pure, Timeout: callTimeout, Like: "web.search"}, w.search)
}

func (w *Web) search(ctx context.Context, inv rein.Invocation, args searchArgs) (rein.Done, error) {
	a, err := w.use(ctx, inv, "web.search", func(s Settings) Service { return s.Search })
	if err != nil {
		return rein.Done{}, err
	}
	args.Query = strings.TrimSpace(args.Query)
	if args.Query == "" {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "the query is empty: say what to search for")
	}
	ask := map[string]func(asked, context.Context, searchArgs) (Found, error){SearXNG: asked.searxng, Brave: asked.brave, Tavily: asked.tavily}[a.service.Kind]
	if ask == nil {
		return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "there is no search service %q: set web.search to one of %s", a.service.Kind, strings.Join(SearchServices, ", "))
	}
	found, err := ask(a, ctx, args)
	if err != nil {
		return rein.Done{}, err
	}
	found.Service, found.Query, found.Page = a.service.Kind, args.Query, args.Page
	found.tidy(args.Count)
	return done(found.text(), found)
}

// done returns a result with its data.
func done(text string, data any) (rein.Done, error) {
	raw, err := json.Marshal(data)
	return rein.Done{Text: text, Data: raw}, err
}

// maxSnippet is the most that is shown of a page that was found.
const maxSnippet = 700

// tidy makes plain lines of what the service sent and drops what is no page of the web.
func (f *Found) tidy(most int) {
	kept, odd := []Result{}, 0
	for _, r := range f.Results {
		r.Title, r.Snippet = line(r.Title, 200), line(r.Snippet, maxSnippet)
		r.Published = line(r.Published, 40)
		address, ok := webAddress(r.URL)
		if r.URL = address; !ok {
			odd++
			continue
		}
		kept = append(kept, r)
	}
	f.Results = kept[:min(len(kept), most)]
	if odd > 0 {
		f.Notices = append(f.Notices, fmt.Sprintf("%d results without an address of the web were left out", odd))
	}
}

// line is a text of outside as one line, without tags.
func line(text string, most int) string { return rein.Clip(page.Plain(text), most) }

// webAddress returns an address that can be fetched as it is written there.
func webAddress(address string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > maxURL {
		return "", false
	}
	return u.String(), true
}

func (f *Found) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d results of %s for %q, page %d. Fetch a page with web.fetch_url before you rely on it.\n", len(f.Results), f.Service, f.Query, f.Page)
	if len(f.Results) == 0 {
		b.Reset()
		fmt.Fprintf(&b, "%s found nothing for %q on page %d. Try other words.\n", f.Service, f.Query, f.Page)
	}
	for i, r := range f.Results {
		fmt.Fprintf(&b, "\n%d. %s\n   %s\n", i+1, r.Title, r.URL)
		if about := strings.TrimSpace(strings.TrimPrefix(r.Published+": "+r.Snippet, ": ")); about != ":" && about != "" {
			b.WriteString("   " + about + "\n")
		}
	}
	for _, n := range f.Notices {
		b.WriteString("\n[" + n + "]\n")
	}
	return b.String()
}

// number writes a number for a query.
func number(n int) string { return strconv.Itoa(n) }
