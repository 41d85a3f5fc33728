// Package basics has the tools that every agent can use: get_current_time, ask_user and read_result.
package basics

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a bare machine has no zones of its own

	"rein"
	"rein/internal/near"
	"rein/internal/speech"
	"rein/tool"
)

//go:embed get_current_time.md
var getCurrentTimeText string

type timeArgs struct {
	InZone   string `json:"in_zone,omitempty" jsonschema:"IANA name of a time zone, such as Europe/Amsterdam; without it the user's own" max:"100"`
	Zone     string `json:"zone" trusted:"zone"`
	Language string `json:"language" trusted:"language"`
}

// Now is the Data of get_current_time.
type Now struct {
	Time    string `json:"time"`         // RFC 3339, in the zone
	UTC     string `json:"utc"`          // RFC 3339
	Unix    int64  `json:"unix"`         // seconds
	Weekday string `json:"weekday"`      // in English
	Said    string `json:"said"`         // the day and the time as people say them, in the language of the user
	Zone    string `json:"zone"`         // IANA name
	Short   string `json:"abbreviation"` // CET, or an offset where there is none
}

// GetCurrentTime is the tool get_current_time. It reads the given clock.
func GetCurrentTime(clock func() time.Time) (rein.Tool, error) {
	if clock == nil {
		return rein.Tool{}, rein.Errorf(rein.CodeInvalid, "get_current_time has no clock: give it time.Now")
	}
	return tool.New(tool.Spec{Name: "get_current_time", Family: "basics", Text: getCurrentTimeText, Effect: rein.Pure, Polling: true},
		func(_ context.Context, _ rein.Invocation, args timeArgs) (rein.Done, error) {
			return tell(clock(), args)
		})
}

func tell(now time.Time, args timeArgs) (rein.Done, error) {
	place, note, err := zoneFor(args)
	if err != nil {
		return rein.Done{}, err
	}
	now = now.In(place)
	short, _ := now.Zone()
	n := Now{
		Time: now.Format(time.RFC3339), UTC: now.UTC().Format(time.RFC3339), Unix: now.Unix(),
		Weekday: now.Weekday().String(), Zone: place.String(), Short: short, Said: speech.When(args.Language, now, now),
	}
	data, err := json.Marshal(n)
	return rein.Done{Text: fmt.Sprintf("%s, %s, %s (%s)%s", n.Time, speech.Weekday(args.Language, now.Weekday()), n.Zone, n.Short, note), Data: data}, err
}

// zoneFor returns the zone that the model wants, else the user's, else UTC. The model cannot mend a
// zone of the user that does not exist, so that is a note and no error.
func zoneFor(args timeArgs) (place *time.Location, note string, err error) {
	if args.InZone != "" {
		place, ok := load(args.InZone)
		if !ok {
			return nil, "", rein.Errorf(rein.CodeInvalid, "in_zone %.100q is no time zone%s", args.InZone, suggestZone(args.InZone))
		}
		return place, "", nil
	}
	if place, ok := load(args.Zone); ok {
		return place, "", nil
	}
	if args.Zone == "" {
		return time.UTC, " [the user's time zone is not known]", nil
	}
	return time.UTC, fmt.Sprintf(" [the user's time zone %.100q does not exist]", args.Zone), nil
}

// load looks up an IANA name. "Local" would be the zone of this machine, which is nobody's wish.
func load(name string) (*time.Location, bool) {
	if name == "" || name == "Local" {
		return nil, false
	}
	place, err := time.LoadLocation(name)
	return place, err == nil
}

//go:embed zones.txt
var zoneNames string

// suggestZone proposes a zone by its whole name, or by its city alone.
func suggestZone(typed string) string {
	typed = strings.ReplaceAll(strings.TrimSpace(typed), " ", "_")
	names := strings.Fields(zoneNames)
	cities := make([]string, len(names))
	for i, name := range names {
		cities[i] = name[strings.LastIndexByte(name, '/')+1:]
		if strings.EqualFold(typed, name) || strings.EqualFold(typed, cities[i]) {
			return fmt.Sprintf("; did you mean %q?", name)
		}
	}
	if i := slices.Index(cities, near.Word(typed, cities)); i >= 0 {
		return fmt.Sprintf("; did you mean %q?", names[i])
	}
	if best := near.Word(typed, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ": use an IANA name such as Europe/Amsterdam or UTC"
}
