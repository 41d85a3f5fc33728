package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strings"

	"rein"
)

// A searxngAnswer is what /search of SearXNG answers with format=json.
type searxngAnswer struct {
	Results searxngResults
	// Unresponsive has engines with why they did not answer, such as ["brave", "timeout"].
	Unresponsive json.RawMessage `json:"unresponsive_engines"`
}

// A searxngResult is one result. Each comes from one of many engines, with parts of its own.
type searxngResult struct {
	URL, Title, Content string
	Category            string
	PublishedDate       string
	// Of products:
	Price, Shipping string
	SourceCountry   string `json:"source_country"`
	Metadata        string
}

type searxngResults []searxngResult

// UnmarshalJSON leaves out parts that an engine writes in another form: the other results are still good.
func (s *searxngResults) UnmarshalJSON(raw []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for _, one := range all {
		var r searxngResult
		if err := json.Unmarshal(one, &r); err != nil {
			if _, form := errors.AsType[*json.UnmarshalTypeError](err); !form {
				return err
			}
		}
		*s = append(*s, r) // with the parts that fit
	}
	return nil
}

// languageShape is what SearXNG takes as a language.
var languageShape = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z]{2,4})?$`)

func (a asked) searxng(ctx context.Context, args searchArgs) (Found, error) {
	query := url.Values{"q": {args.Query}, "pageno": {number(args.Page)}}
	if args.Recent != "" {
		query.Set("time_range", args.Recent)
	}
	got, err := a.askSearXNG(ctx, query, args.Language)
	if err != nil {
		return Found{}, err
	}
	found := Found{Notices: got.notices()}
	for _, r := range got.Results {
		found.Results = append(found.Results, Result{Title: r.Title, URL: r.URL, Snippet: r.Content, Published: day(r.PublishedDate)})
	}
	return found, nil
}

func (a asked) askSearXNG(ctx context.Context, query url.Values, language string) (got searxngAnswer, err error) {
	query.Set("format", "json")
	if languageShape.MatchString(language) {
		query.Set("language", language)
	}
	q := question{path: "search", query: query}
	if a.key != "" { // of a proxy before it: SearXNG itself has no keys
		q.header = map[string]string{"Authorization": "Bearer " + a.key}
	}
	raw, err := a.ask(ctx, q)
	if rein.CodeOf(err) == rein.CodeProvider && strings.Contains(err.Error(), "status 403") {
		return got, rein.Errorf(rein.CodeUnavailable, "this SearXNG does not answer in JSON: add json to search.formats in its settings.yml")
	}
	if err != nil {
		return got, err
	}
	return got, a.read(raw, &got)
}

// notices says which engines did not answer: a search without results is something else then.
func (s searxngAnswer) notices() []string {
	var pairs [][]string
	var names []string
	if json.Unmarshal(s.Unresponsive, &pairs) == nil {
		for _, pair := range pairs {
			names = append(names, strings.Join(pair, ": "))
		}
	} else {
		_ = json.Unmarshal(s.Unresponsive, &names) // as older versions write it
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"these engines did not answer: " + line(strings.Join(names, ", "), 300)}
}

// day is the date of a time in any of the usual forms.
func day(time string) string {
	date, _, _ := strings.Cut(time, "T")
	return date
}
