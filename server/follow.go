package server

import (
	"context"
	"errors"
	"iter"

	"rein"
	"rein/api"
	"rein/journal/feed"
)

// A lineOut is a connection that a feed is sent over. Each method reports whether someone still reads.
type lineOut interface {
	frame(f api.Frame, more bool) bool // more says that another frame follows at once
	beat() bool                        // says that the connection is alive
}

// follow sends a feed to its end over a connection. A cursor of a log that is gone begins it again.
func (s *server) follow(ctx context.Context, id rein.RunID, o feed.Options, to lineOut) {
	s.followLines(ctx, s.Feed.Follow(ctx, id, o), id, o, to)
}

// followLines is follow of lines that come from the options' cursor on.
func (s *server) followLines(ctx context.Context, lines iter.Seq2[feed.Line, error], id rein.RunID, o feed.Options, to lineOut) {
	for line, err := range lines {
		if errors.Is(err, feed.ErrLost) {
			if to.frame(api.Frame{Type: api.StreamResync, Line: &api.Line{Resync: err.Error()}}, false) {
				o.After = ""
				s.follow(ctx, id, o, to)
			}
			return
		}
		if err != nil {
			sendError(ctx, to, err)
			return
		}
		if !sendLine(to, line) {
			return
		}
	}
	if ctx.Err() == nil {
		to.frame(api.Frame{Type: api.StreamEnd}, false)
	}
}

// sendError says why a feed ends, unless nobody reads it any more.
func sendError(ctx context.Context, to lineOut, err error) {
	if ctx.Err() == nil {
		p := api.ProblemOf(err)
		to.frame(api.Frame{Type: api.StreamError, Problem: &p}, false)
	}
}

func sendLine(to lineOut, line feed.Line) bool {
	told := api.Line{Cursor: line.Cursor, Event: line.Event, Delta: line.Delta}
	switch {
	case line.Event != nil:
		return to.frame(api.Frame{Type: api.StreamEvent, Line: &told}, line.More)
	case line.Delta != nil:
		return to.frame(api.Frame{Type: api.StreamDelta, Line: &told}, line.More)
	}
	return to.beat()
}

// canFollow says what a feed of a run that was found would refuse at once, while it can still be
// answered by a status: that is its cursor, if it has one.
func (s *server) canFollow(ctx context.Context, id rein.RunID, o feed.Options) error {
	if o.After == "" {
		return nil
	}
	err := s.Feed.Check(ctx, id, o)
	if errors.Is(err, feed.ErrLost) {
		return nil // it is told to begin again
	}
	return err
}
