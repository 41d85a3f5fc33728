package web

import (
	"context"
	"net/url"
	"slices"
	"strings"
)

// A braveAnswer is what /res/v1/web/search of Brave answers.
type braveAnswer struct {
	Web struct {
		Results []struct {
			Title, URL, Description string
			PageAge                 string   `json:"page_age"`
			Extra                   []string `json:"extra_snippets"`
		}
	}
}

// braveLanguages are what Brave takes as search_lang; it refuses others.
var braveLanguages = strings.Fields(`ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb
	pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi`)

var braveFreshness = map[string]string{"day": "pd", "week": "pw", "month": "pm", "year": "py"}

func (a asked) brave(ctx context.Context, args searchArgs) (Found, error) {
	query := url.Values{
		"q": {args.Query}, "count": {number(args.Count)}, "offset": {number(args.Page - 1)},
		"result_filter": {"web"}, "text_decorations": {"false"},
	}
	if args.Recent != "" {
		query.Set("freshness", braveFreshness[args.Recent])
	}
	if language := braveLanguage(args.Language); language != "" {
		query.Set("search_lang", language)
	}
	raw, err := a.ask(ctx, question{path: "res/v1/web/search", query: query, header: map[string]string{"X-Subscription-Token": a.key}})
	if err != nil {
		return Found{}, err
	}
	var got braveAnswer
	if err := a.read(raw, &got); err != nil {
		return Found{}, err
	}
	found := Found{}
	for _, r := range got.Web.Results {
		about := strings.Join(append([]string{r.Description}, r.Extra...), " … ")
		found.Results = append(found.Results, Result{Title: r.Title, URL: r.URL, Snippet: about, Published: day(r.PageAge)})
	}
	return found, nil
}

// braveLanguage is a language as Brave writes it; empty: it has none like it.
func braveLanguage(language string) string {
	language = strings.ToLower(language)
	base, _, _ := strings.Cut(language, "-")
	for _, try := range []string{language, map[string]string{"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb"}[base], base} {
		if slices.Contains(braveLanguages, try) {
			return try
		}
	}
	return ""
}
