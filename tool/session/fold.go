package session

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	"rein/household/past"
)

// compact is the flow that uses Talk and Fold. Its runs say nothing that later runs have to know.
const compact = "compact"

// critique is the flow that judges the last exchange.
const critique = "critique"

// A talk is what Talk returns: what a summary would stand for.
type talk struct {
	Digest   rein.Hash      `json:"digest"`
	New      bool           `json:"new"`                // something was said that no summary stands for yet
	Messages []rein.Message `json:"messages,omitempty"` // a prompt that asks for the summary
}

// Talk is the internal read of what a summary of the session would stand for, as History tells it.
func Talk(r Reader) rein.Tool {
	return reading("session.talk", "What a summary of this session would stand for.", func(ctx context.Context, inv rein.Invocation) (any, error) {
		said, err := sessionTalk(ctx, r, inv)
		if err != nil {
			return nil, err
		}
		found := talk{Digest: past.DigestOf(said), New: past.IsNew(said)}
		if found.New {
			found.Messages = past.SummaryPrompt(said)
		}
		return found, nil
	})
}

// sessionTalk is what was said in the session before a run. A child has no past.
func sessionTalk(ctx context.Context, r Reader, inv rein.Invocation) ([]rein.Message, error) {
	if inv.Task == nil || inv.Task.Session == "" || inv.Run.Depth() > 0 {
		return nil, nil
	}
	return talkOf(ctx, r, inv)
}

// A folded is what Fold returns: how much the next runs read before and after, in bytes.
type folded struct {
	Before int `json:"before"`
	After  int `json:"after"` // 0: the summary is not notably shorter, and was not kept
}

// Fold keeps a summary in place of all that was said in the session, for its next runs. The digest says what the
// summary was made of: if something else was said meanwhile, nothing is kept.
func Fold(r Reader) rein.Tool {
	return rein.Tool{
		Name: "session.fold", Description: "Keeps a summary of what was said in this session.", Effect: rein.Pure, Internal: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			var args struct {
				Digest rein.Hash `json:"digest"`
				Text   string    `json:"text"`
			}
			if err := json.Unmarshal(inv.Args, &args); err != nil {
				return rein.Done{}, rein.Errorf(rein.CodeInvalid, `session.fold: it wants {"digest": HASH, "text": TEXT}`)
			}
			said, err := sessionTalk(ctx, r, inv)
			if err != nil {
				return rein.Done{}, err
			}
			if !past.IsNew(said) || past.DigestOf(said) != args.Digest {
				return rein.Done{}, rein.Errorf(rein.CodeConflict, "something else was said in the session while the summary was made: compact it again")
			}
			return keeping(inv, said, args.Text)
		},
	}
}

func keeping(inv rein.Invocation, said []rein.Message, text string) (rein.Done, error) {
	before := past.SizeOf(said)
	fold, ok := past.FoldOf(said, text)
	if !ok {
		data, err := json.Marshal(folded{Before: before})
		return rein.Done{Text: "not shorter", Data: data}, err
	}
	data, err := json.Marshal(folded{Before: before, After: len(fold.Text)})
	place, origin := inv.Task.Place(), past.Origin{Run: inv.Run, Step: inv.Step, At: time.Now()}
	return rein.Done{Text: "kept", Data: data, Commit: func(ctx context.Context, tx rein.Tx) error {
		return past.Keep(ctx, tx, place, fold, origin)
	}}, err
}
