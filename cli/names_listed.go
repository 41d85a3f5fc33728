package cli

import (
	"context"
	"strings"

	"rein"
	"rein/api"
	"rein/api/client"
)

// newestKnown is how many roots shorter names are kept apart from, beside those that are listed.
const newestKnown = 500

// leastShort is how many characters a short name has at least, and longEnough how long an ID is that gets one.
const (
	leastShort = 5
	longEnough = 16
)

// A shortener writes IDs as short as they can be typed.
type shortener struct{ ends map[rein.RunID]string } // of roots

// shortener returns one for a list with these runs: ends of IDs, of one length, that mean no other run of the list or of the
// newest. With long it leaves all IDs whole.
func (c *call) shortener(ctx context.Context, in *client.Client, listed []rein.RunID) (shortener, error) {
	if c.long || c.json {
		return shortener{}, nil
	}
	page, err := in.Runs(ctx, api.RunQuery{Roots: true, Newest: true, Limit: newestKnown})
	if err != nil {
		return shortener{}, err
	}
	known := map[string]bool{}
	for _, run := range page.Runs {
		known[string(run.ID)] = true
	}
	for _, id := range listed {
		known[string(id.Root())] = true
	}
	return shortener{shortEnds(known)}, nil
}

// shortEnds returns the ends of long IDs, as short as they can be.
func shortEnds(ids map[string]bool) map[rein.RunID]string {
	for n := leastShort; n < longEnough; n++ {
		if ends, ok := endsOf(ids, n); ok {
			return ends
		}
	}
	return nil
}

func endsOf(ids map[string]bool, n int) (ends map[rein.RunID]string, ok bool) {
	ends, taken := map[rein.RunID]string{}, map[string]int{}
	for id := range ids {
		taken[id]++
		for _, part := range []string{id[:min(n, len(id))], id[max(0, len(id)-n):]} {
			if part != id {
				taken[part]++
			}
		}
	}
	for id := range ids {
		if len(id) < longEnough {
			continue
		}
		end := id[len(id)-n:]
		if taken[end] > 1 || strings.HasPrefix(end, "-") || end == lastName {
			return nil, false
		}
		ends[rein.RunID(id)] = end
	}
	return ends, true
}

// run is the ID of a run as it is listed.
func (s shortener) run(id rein.RunID) string {
	end, ok := s.ends[id.Root()]
	if !ok {
		return string(id)
	}
	return end + strings.TrimPrefix(string(id), string(id.Root()))
}

// ask is the ID of an ask as it is listed.
func (s shortener) ask(id rein.AskID) string { return s.run(id.Run()) + ":" + id.Sub() }
