package offline

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"rein"
)

// A wish is something that a member of a household asks for in one of a few phrases. The rules know these phrases and
// nothing else of what is said.
type wish struct {
	tool  string         // that fulfils it
	about string         // what a prompt calls what the tool is for
	looks bool           // it changes nothing
	args  map[string]any // nil: something is missing
	ask   string         // the fixed sentence that asks for it
}

var (
	reminds   = regexp.MustCompile(`(?i)^(?:(?:kun|kan|wil) je |(?:can|could|will) you )?(?:please )?(?:herinner (?:me|mij|ons)|remind (?:me|us))\b(?: er ?aan| eraan)?`)
	remembers = regexp.MustCompile(`(?i)^(?:(?:kun|kan|wil) je )?(?:please )?(?:onthoud|remember)(?: alsjeblieft)?(?: dat| that)? (.+)$`)
	puts      = regexp.MustCompile(`(?i)^(?:zet|schrijf|plan|put|write|add|schedule)\s+(.+?)\s+(?:in|op|on|to)\s+(?:de|mijn|onze|the|my|our)\s+(agenda|kalender|calendar)$`)
	putsOn    = regexp.MustCompile(`(?i)^(?:zet|schrijf|put|write|add)\s+(.+?)\s+(?:op|on|to)\s+(?:de|mijn|onze|the|my|our)\s+([\pL\d' -]*?(?:lijst|lijstje|list|groceries|boodschappen))$`)
	adds      = regexp.MustCompile(`(?i)^voeg\s+(.+?)\s+toe\s+aan\s+(?:de|mijn|onze)\s+([\pL\d' -]*?(?:lijst|lijstje))$`)
	looksAt   = regexp.MustCompile(`(?i)^(?:wat staat er|wat heb ik|what is|what's|what do i have|show me what is)\b.*\b(?:agenda|kalender|calendar)\b`)

	leads        = regexp.MustCompile(`(?i)^(?:aan|eraan|dat|om|of|about|to|that|for)\s+`)
	articleFirst = regexp.MustCompile(`(?i)^(?:de|het|een|the|an?)\s+`)
	between      = regexp.MustCompile(`(?i)\s*(?:,|\sen\s|\sand\s|\s&\s)\s*`)
	verbLast     = regexp.MustCompile(`^(ik|hij|zij|ze|we|wij|jij|je|wij|\p{Lu}\pL+) (.+) (\pL+)$`)
)

// now is when the turn began, as the prompt says, in the zone of the person.
func (t *turn) now() (now time.Time, zone string, ok bool) {
	for _, m := range t.Messages {
		if m.Role != rein.Developer && m.Role != rein.System {
			continue
		}
		if found := began.FindStringSubmatch(m.Text); found != nil {
			at, err := time.Parse(time.RFC3339, found[1])
			if place, wrong := time.LoadLocation(found[2]); wrong == nil {
				at = at.In(place)
			}
			return at, found[2], err == nil
		}
	}
	return now, "", false
}

// wish returns what the message asks for, if it is one of the phrases.
func (t *turn) wish() (w wish, ok bool) {
	text := strings.Trim(oneLine(t.question, maxQuery), " .!?")
	now, zone, known := t.now()
	if !known {
		return w, false
	}
	switch {
	case reminds.MatchString(text):
		return t.reminder(text, now, zone), true
	case looksAt.MatchString(text):
		args := map[string]any{}
		if m := whenOf(text, now); !m.day.IsZero() {
			day := m.day.Format(time.DateOnly)
			args["from"], args["to"] = day, day
		}
		return wish{tool: "agenda.list_events", about: "the agenda", looks: true, args: args}, true
	case remembers.MatchString(text):
		return wish{tool: "memory.remember", about: "what is remembered", args: map[string]any{"text": plainOrder(remembers.FindStringSubmatch(text)[1])}}, true
	}
	for _, pattern := range []*regexp.Regexp{putsOn, adds} {
		if found := pattern.FindStringSubmatch(text); found != nil {
			return listed(found[1], found[2]), true
		}
	}
	m := whenOf(text, now)
	if found := puts.FindStringSubmatch(m.rest); found != nil {
		return appointment(found[1], m, now), true
	}
	return w, false
}

// reminder is a job that says something at a time, once or again and again.
func (t *turn) reminder(text string, now time.Time, zone string) wish {
	w := wish{tool: "cron.add", about: "reminders"}
	m := whenOf(text, now)
	what := strings.TrimSpace(reminds.ReplaceAllString(m.rest, ""))
	what = articleFirst.ReplaceAllString(leads.ReplaceAllString(leads.ReplaceAllString(what, ""), ""), "")
	schedule := map[string]any{"tz": zone}
	switch at := m.at(now); {
	case m.interval != "":
		schedule["kind"], schedule["every"] = "every", m.interval
	case m.repeats && m.hour >= 0:
		schedule["kind"], schedule["expression"] = "cron", strings.Join([]string{number(m.minute), number(m.hour), "*", "*", m.cron}, " ")
	case m.repeats || at == "":
		w.ask = "when"
		return w
	default:
		schedule["kind"], schedule["at"] = "at", at
	}
	if what == "" {
		w.ask = "what"
		return w
	}
	w.args = map[string]any{
		"schedule": schedule, "target": "main", "payload": map[string]any{"kind": "systemEvent", "text": what}, "label": clip(what, 100),
	}
	return w
}

// appointment is an event of the agenda; without a time it lasts all day.
func appointment(title string, m moment, now time.Time) wish {
	w := wish{tool: "agenda.add_event", about: "the agenda"}
	start := m.at(now)
	if start == "" && m.hour < 0 && !m.day.IsZero() {
		start = m.day.Format(time.DateOnly)
	}
	if start == "" || m.repeats {
		w.ask = "when"
		return w
	}
	w.args = map[string]any{"title": articleFirst.ReplaceAllString(strings.TrimSpace(title), ""), "start": start}
	return w
}

// listed is what goes on a list: the list of groceries, or another one by its name.
func listed(items, list string) wish {
	var all []any
	for _, item := range between.Split(items, -1) {
		if item = articleFirst.ReplaceAllString(strings.TrimSpace(item), ""); item != "" {
			all = append(all, map[string]any{"text": item})
		}
	}
	args := map[string]any{"items": all}
	switch strings.ToLower(list) {
	case "boodschappenlijst", "boodschappenlijstje", "boodschappen", "lijst", "grocery list", "groceries", "shopping list", "list":
	default:
		args["list"] = list
	}
	return wish{tool: "lists.add", about: "shared lists", args: args}
}

// plainOrder brings the verb of a Dutch clause to its place in a sentence: "ik geen noten eet" is "ik eet geen noten".
func plainOrder(clause string) string {
	found := verbLast.FindStringSubmatch(clause)
	if found == nil || languageOf(clause) != dutch {
		return clause
	}
	return found[1] + " " + found[3] + " " + found[2]
}

func number(n int) string { return strconv.Itoa(n) }

// fulfil proposes the call that the message asks for, if its tool is offered.
func (t *turn) fulfil() []rein.ToolCall {
	w, ok := t.wish()
	if !ok || w.args == nil || !t.offers(w.tool) {
		return nil
	}
	return []rein.ToolCall{{Name: w.tool, Args: marshal(w.args)}}
}

// missing is the sentence that asks for what a wish lacks, or "".
func (t *turn) missing() string {
	w, ok := t.wish()
	if !ok || w.ask == "" || !t.offers(w.tool) {
		return ""
	}
	return say(t.lang, w.ask)
}

func (t *turn) offers(name string) bool {
	for _, tool := range t.Offered {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// handOver is the tag with which a chat hands the message over, or "": if it is one of the phrases, and the prompt says
// that there is something for it.
func (t *turn) handOver() string {
	w, ok := t.wish()
	if !ok {
		return ""
	}
	tag := "[NEED_TASK]"
	if w.looks {
		tag = "[NEED_RESEARCH]"
	}
	for _, m := range t.Messages {
		if m.Role != rein.System {
			continue
		}
		for line := range strings.Lines(m.Text) {
			if strings.Contains(line, "`"+tag+"`") && strings.Contains(line, w.about) {
				return tag
			}
		}
	}
	return ""
}
