package notes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/vault"
)

// Limits bound what a call may ask of the reading tools, whatever the model wants. A flow can freeze them
// with its settings, under the same names.
type Limits struct {
	Generated bool    `json:"generated_queries"` // the model may search in words of its own
	Queries   int     `json:"max_queries"`
	K         int     `json:"k"`
	Lambda    float64 `json:"mmr_lambda"`
	Short     int     `json:"min_chunk"`
	ReadMax   int     `json:"read_max_chars"`
}

// DefaultLimits are what holds where nothing is set.
func DefaultLimits() Limits {
	return Limits{
		Generated: true, Queries: 3, K: vault.DefaultK, Lambda: vault.DefaultLambda,
		Short: vault.DefaultShort, ReadMax: vault.DefaultMax,
	}
}

// Frozen returns the limits that hold for a task whose settings have limits among them.
func (l Limits) Frozen(task rein.Task) Limits {
	_ = json.Unmarshal(task.Settings, &l) // they were checked when the run began
	return l
}

// query is what is searched for when a model asks for args.
func (l Limits) query(args findArgs, task *rein.Task) (q vault.Query, notices []string) {
	q = vault.Query{K: &l.K, Lambda: &l.Lambda, Short: &l.Short}
	q.Texts, notices = l.queries(args.Queries, task)
	switch {
	case args.K == nil:
	case *args.K > l.K:
		notices = append(notices, fmt.Sprintf("k %d is above the limit in the settings: %d was used", *args.K, l.K))
	default:
		q.K = args.K
	}
	return q, notices
}

// queries keeps as many queries as the limits allow; blank and repeated ones do not count.
func (l Limits) queries(texts []string, task *rein.Task) (kept, notices []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(kept, text) {
			kept = append(kept, text)
		}
	}
	if own := question(task); !l.Generated && len(kept) > 0 && own != "" && !slices.Equal(kept, []string{own}) {
		return []string{own}, []string{"generated queries are off in the settings: the question itself was searched for"}
	}
	if len(kept) > l.Queries {
		notices = append(notices, fmt.Sprintf("%d queries are above the limit in the settings: the first %d were used", len(kept), l.Queries))
		kept = kept[:l.Queries]
	}
	return kept, notices
}

// question is what the person asked last, in their own words.
func question(task *rein.Task) string {
	if task == nil {
		return ""
	}
	for _, m := range slices.Backward(task.Messages) {
		if text := strings.TrimSpace(m.Text); m.Role == rein.User && text != "" {
			return text
		}
	}
	return ""
}

// chars is how much of a note is read at a time when a model asks for so many characters.
func (l Limits) chars(asked int) (most int, notices []string) {
	if asked > l.ReadMax {
		notices = append(notices, fmt.Sprintf("max_chars %d is above the limit in the settings: %d was used", asked, l.ReadMax))
	}
	if asked == 0 || asked > l.ReadMax {
		return l.ReadMax, notices
	}
	return asked, nil
}
