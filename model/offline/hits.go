package offline

import (
	"cmp"
	"encoding/json"
	"strings"
)

// A hit is one result of a search that answers in JSON, under the names that such tools use.
type hit struct {
	Path    string  `json:"path"`
	Section string  `json:"section"`
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Snippet string  `json:"snippet"`
	Text    string  `json:"text"`
	Content string  `json:"content"`
	Summary string  `json:"description"`
	Score   float64 `json:"score"`
}

// hitsOf returns the lines of such a search, or nil if the result is not one.
func hitsOf(u use) []line {
	body := strings.TrimSpace(u.body)
	if u.role != searches || body == "" {
		return nil
	}
	var doc struct {
		Data    []hit `json:"data"`
		Results []hit `json:"results"`
		Hits    []hit `json:"hits"`
		Items   []hit `json:"items"`
	}
	var hits []hit
	if body[0] == '[' {
		if json.Unmarshal([]byte(body), &hits) != nil {
			return nil
		}
	} else {
		if json.Unmarshal([]byte(body), &doc) != nil {
			return nil
		}
		hits = append(append(append(doc.Data, doc.Results...), doc.Hits...), doc.Items...)
	}
	all := []line{}
	for _, h := range hits {
		text := cmp.Or(h.Snippet, h.Text, h.Content, h.Summary, h.Title)
		source := cmp.Or(place(h.Path, "", ""), place(h.URL, "", ""), place(h.Title, "", ""), u.call.Name)
		cite := cmp.Or(place(h.Path, h.Section, ""), source)
		if text = oneLine(text, maxQuote); text != "" {
			all = append(all, line{text: text, cite: cite, source: source, score: h.Score})
		}
	}
	return all
}

const (
	maxHits = 3 // of a search, in an answer
	// sure is what a search must say of a hit that shares no word with the question.
	sure = 0.25
)

// ranked keeps the order of a search, which knows more than the rules: it only leaves out what shares no
// word with the question and is not near it either, and what was said already.
func ranked(hits []line, wanted map[string]bool) (kept []line) {
	seen := map[string]bool{}
	for _, h := range hits {
		if len(kept) == maxHits {
			break
		}
		if seen[h.text] || h.score < sure && len(shared(h.text+" "+h.cite, wanted)) == 0 {
			continue
		}
		seen[h.text] = true
		kept = append(kept, h)
	}
	return kept
}
