package eventjson

import (
	"time"

	"rein"
)

func (o *object) task(t *rein.Task) {
	o.open()
	o.must("flow", t.Flow)
	o.text("preset", t.Preset)
	o.number("revision", int64(t.Revision))
	o.messages("messages", t.Messages)
	o.text("model", t.Model)
	o.texts("tools", t.Tools)
	o.texts("code_tools", t.CodeTools)
	o.raw("settings", t.Settings)
	if t.Budget != nil {
		o.budget(t.Budget)
	}
	if !t.Policy.IsZero() {
		o.policy(&t.Policy)
	}
	o.text("mode", string(t.Mode))
	o.text("household", t.Household)
	o.text("user", t.User)
	o.text("session", t.Session)
	o.text("workspace", t.Workspace)
	o.text("rules", t.Rules)
	o.text("folder", t.Folder)
	o.text("zone", t.Zone)
	o.text("language", t.Language)
	if len(t.Texts) > 0 {
		o.reflected("texts", t.Texts)
	}
	o.texts("notices", t.Notices)
	o.text("parent", string(t.Parent))
	o.raw("metadata", t.Metadata)
	if !t.Start.IsZero() {
		o.time("start", t.Start)
	}
	if t.Fork != nil {
		o.reflected("fork", t.Fork)
	}
	if t.Branch != nil {
		o.reflected("branch", t.Branch)
	}
	o.close()
}

func (o *object) budget(b *rein.Budget) {
	o.key("budget")
	o.open()
	o.parts(&b.Amount)
	o.always("depth", int64(b.Depth))
	o.close()
}

func (o *object) policy(p *rein.Policy) {
	o.key("policy")
	o.open()
	o.texts("allow", p.Allow)
	o.texts("ask", p.Ask)
	o.texts("deny", p.Deny)
	o.texts("usual", p.Usual)
	o.number("timeout", int64(p.Timeout))
	o.text("on_expiry", string(p.OnExpiry))
	o.close()
}

// time writes a time of this world in UTC; another one is left to encoding/json.
func (o *object) time(key string, t time.Time) {
	if t.Location() != time.UTC || !plain(t) {
		o.reflected(key, &t)
		return
	}
	o.key(key)
	o.b = append(o.b, '"')
	o.b = t.AppendFormat(o.b, time.RFC3339Nano)
	o.b = append(o.b, '"')
}
