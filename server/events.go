package server

import (
	"net/http"
	"strings"

	"rein"
	"rein/api"
	"rein/journal/feed"
)

// events sends the log of a run: as a stream that goes on until the run ends, or one page of it.
func (s *server) events(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	id := rein.RunID(r.PathValue("id"))
	if _, err := s.run(r.Context(), id, who); err != nil {
		return err
	}
	o := feed.Options{After: r.URL.Query().Get("after"), Tree: flag(r, "tree"), Idle: s.Heartbeat}
	if wantsSocket(r) {
		return s.socket(w, r, id, o)
	}
	if accepts(r, eventStream) {
		if last := r.Header.Get("Last-Event-ID"); last != "" {
			o.After = last // a browser that reconnects sends it, with the address as it was
		}
		return s.stream(w, r, id, o)
	}
	lines, more, err := s.Feed.Page(r.Context(), id, o, number(r, "limit", api.DefaultLimit))
	if rein.CodeOf(err) == rein.CodeDamaged && len(lines) > 0 {
		more, err = true, nil // a page ends before what cannot be read; the next one says so
	}
	if err != nil {
		return err
	}
	page := api.Lines{Lines: make([]api.Line, len(lines)), Next: o.After, More: more}
	for i, line := range lines {
		page.Lines[i], page.Next = api.Line{Cursor: line.Cursor, Event: line.Event}, line.Cursor
	}
	return answer(w, http.StatusOK, page)
}

// accepts reports whether the request wants this media type by name.
func accepts(r *http.Request, media string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		kind, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(kind), media) {
			return true
		}
	}
	return false
}
