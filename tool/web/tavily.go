package web

import (
	"context"

	"rein"
)

// A tavilyQuestion is the body of a request to /search of Tavily.
type tavilyQuestion struct {
	Query      string `json:"query"`
	MaxResults int    `json:"max_results"`
	Depth      string `json:"search_depth"`
	TimeRange  string `json:"time_range,omitempty"`
}

// A tavilyAnswer is what it answers.
type tavilyAnswer struct {
	Results []struct {
		Title, URL, Content string
		Published           string `json:"published_date"`
	}
}

func (a asked) tavily(ctx context.Context, args searchArgs) (Found, error) {
	if args.Page > 1 {
		return Found{}, rein.Errorf(rein.CodeInvalid, "tavily has one page of results: ask for a larger count, or use other words")
	}
	raw, err := a.ask(ctx, question{
		path: "search", header: map[string]string{"Authorization": "Bearer " + a.key},
		body: tavilyQuestion{Query: args.Query, MaxResults: args.Count, Depth: "basic", TimeRange: args.Recent},
	})
	if err != nil {
		return Found{}, err
	}
	var got tavilyAnswer
	if err := a.read(raw, &got); err != nil {
		return Found{}, err
	}
	found := Found{}
	for _, r := range got.Results {
		found.Results = append(found.Results, Result{Title: r.Title, URL: r.URL, Snippet: r.Content, Published: r.Published})
	}
	return found, nil
}
