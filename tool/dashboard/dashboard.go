// Package dashboard has the tool with which people get a link to their page. A link logs its holder in, so no model sees it,
// and no log: it goes to its user as a message.
package dashboard

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"rein"
	"rein/household/people"
	"rein/household/post"
	"rein/internal/digest"
	"rein/internal/speech"
	"rein/tool"
)

//go:embed get_dashboard_link.md
var text string

// Name is the name of the tool.
const Name = "get_dashboard_link"

// Options are what the tool works with.
type Options struct {
	People *people.People
	// URL is where people reach the page, and Path makes the path of a login link; an empty URL: no page is served.
	URL  func() string
	Path func(link string) string
	Now  func() time.Time // nil: time.Now
}

// Data is the Data of get_dashboard_link.
type Data struct {
	Sent    bool   `json:"sent"`              // a link was sent to the user
	Seconds int    `json:"seconds,omitempty"` // how long it works
	URL     string `json:"url,omitempty"`     // where the page is, if no link was sent
}

// Tool is the tool get_dashboard_link.
func Tool(o Options) (rein.Tool, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	t, err := tool.New(tool.Spec{Name: Name, Family: "household", Text: text, Effect: rein.Pure, Writes: true, Approval: true}, func(ctx context.Context, inv rein.Invocation, _ struct{}) (rein.Done, error) {
		task, address := inv.Task, o.URL()
		switch {
		case task == nil || task.Household == "" || task.User == "":
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "the run belongs to no user of a household, so there is nobody to log in")
		case address == "":
			return rein.Done{}, rein.Errorf(rein.CodeUnavailable, "no page is served here: `rein serve` serves one")
		}
		link, err := o.People.NewOwnLink(ctx, task.Household, task.User)
		if rein.CodeOf(err) == rein.CodeForbidden {
			return result(words.Say(task.Language, "as usual", address), Data{URL: address})
		}
		if err != nil {
			return rein.Done{}, err
		}
		done, err := result(words.Say(task.Language, "sent"), Data{Sent: true, Seconds: int(people.OwnLinkLife.Seconds())})
		done.Commit = func(ctx context.Context, tx rein.Tx) error {
			if err := o.People.PutOwnLink(ctx, tx, task.Household, task.User, link); err != nil {
				return err
			}
			return post.Put(ctx, tx, post.Message{
				ID: "link-" + digest.Joined(8, string(inv.Run), string(inv.Step)), Household: task.Household, User: task.User, Kind: post.Notice, Urgent: true,
				Text: words.Say(task.Language, "link", address+o.Path(link.Text)), At: o.Now().UTC(),
			})
		}
		return done, err
	})
	t.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
		language := ""
		if inv.Task != nil {
			language = inv.Task.Language
		}
		return rein.Shown{Say: words.Say(language, "ask")}, nil
	}
	return t, err
}

func result(text string, data Data) (rein.Done, error) {
	raw, err := json.Marshal(data)
	return rein.Done{Text: text, Data: raw}, err
}

var words = speech.Words{
	"en": {
		"ask":      "Shall I send you a link that logs you in to your dashboard, once and within a minute?",
		"sent":     "I have sent you a link to your dashboard. It works once, within a minute.",
		"link":     "Your dashboard: %s\nThe link works once, within a minute. Give it to nobody.",
		"as usual": "Your dashboard is at %s. Log in there as usual: for somebody who manages the household I make no link.",
	},
	"nl": {
		"ask":      "Zal ik je een link sturen waarmee je één keer, binnen een minuut, inlogt op je dashboard?",
		"sent":     "Ik heb je een link naar je dashboard gestuurd. Hij werkt één keer, binnen een minuut.",
		"link":     "Je dashboard: %s\nDe link werkt één keer, binnen een minuut. Geef hem aan niemand.",
		"as usual": "Je dashboard staat op %s. Log daar in zoals altijd: voor wie het huishouden beheert maak ik geen link.",
	},
}
