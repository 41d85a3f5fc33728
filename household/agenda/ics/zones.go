package ics

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	ical "github.com/emersion/go-ical"

	"rein/household/agenda"
	"rein/internal/civil"
)

// zones finds the time zones that a file means.
type zones struct {
	home  string            // where the user lives
	known map[string]string // by the name in the file
}

// A moment is a time of a file.
type moment struct {
	wall agenda.Wall
	zone string
	day  bool // it is a whole day
}

// instant is the moment on the line of time.
func (m moment) instant() time.Time {
	t, _ := m.wall.In(agenda.ZoneOf(m.zone))
	return t
}

// moment reads a time.
func (z zones) moment(prop ical.Prop) (m moment, err error) {
	value := strings.TrimSpace(prop.Value)
	if prop.Params.Get(ical.ParamValue) == string(ical.ValueDate) || len(value) == len("20060102") {
		t, err := time.Parse("20060102", value)
		if err != nil {
			return m, fmt.Errorf("%.40q is not a day: write it like 20261124", value)
		}
		return moment{agenda.WallOf(t), z.home, true}, nil
	}
	if t, err := time.Parse("20060102T150405Z", value); err == nil {
		return moment{agenda.WallOf(t), "UTC", false}, nil
	}
	t, err := time.Parse("20060102T150405", value)
	if err != nil {
		return m, fmt.Errorf("%.40q is not a time: write it like 20261124T090000", value)
	}
	m = moment{agenda.WallOf(t), z.home, false}
	if name := prop.Params.Get(ical.ParamTimezoneID); name != "" {
		m.zone, err = z.find(name)
	}
	return m, err
}

// in is what the clock of an event shows at a moment.
func (z zones) in(m moment, e agenda.Event) agenda.Wall {
	if m.day || e.AllDay || m.zone == e.Zone {
		return m.wall
	}
	return agenda.WallOf(m.instant().In(agenda.ZoneOf(e.Zone)))
}

// between moves a wall time from the clock of one event to that of another.
func (z zones) between(w agenda.Wall, from, to agenda.Event) agenda.Wall {
	return z.in(moment{w, from.Zone, from.AllDay}, to)
}

// atHome puts an event that happens once on the user's clock, where that shows the time of it once.
func (z zones) atHome(e *agenda.Event, start moment) {
	local := agenda.WallOf(start.instant().In(agenda.ZoneOf(z.home)))
	if _, fit := local.In(agenda.ZoneOf(z.home)); fit == civil.Once {
		e.Zone, e.Start = z.home, local
	}
}

// find finds a zone by its name in a file: an IANA name, also with what some programs write before it, a name of Windows,
// or one that the file itself explains.
func (z zones) find(name string) (string, error) {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	if known, ok := z.known[name]; ok {
		return known, nil
	}
	if zone, ok := named(name); ok {
		return zone, nil
	}
	return "", fmt.Errorf("there is no time zone %.80q: use a name like Europe/Amsterdam", name)
}

// named finds a zone by its name alone.
func named(name string) (string, bool) {
	if windows, ok := windowsZones[name]; ok {
		return windows, true
	}
	for rest := strings.TrimPrefix(name, "/"); rest != ""; {
		if rest != "Local" {
			if _, err := civil.Zone(rest); err == nil {
				return rest, true
			}
		}
		_, after, more := strings.Cut(rest, "/")
		if !more {
			break
		}
		rest = after
	}
	switch strings.ToUpper(name) {
	case "GMT", "Z", "UTC", "ETC/UTC", "COORDINATED UNIVERSAL TIME":
		return "UTC", true
	}
	return "", false
}

// learn reads what a file says of a time zone.
func (z zones) learn(p part) {
	c, err := component(p)
	if err != nil {
		return
	}
	name := strings.TrimSpace(textOf(c, ical.PropTimezoneID))
	if name == "" {
		return
	}
	for _, candidate := range []string{name, textOf(c, "X-LIC-LOCATION"), textOf(c, "X-WR-TIMEZONE")} {
		if zone, ok := named(candidate); ok {
			z.known[name] = zone
			return
		}
	}
	if zone, ok := z.byOffsets(c); ok {
		z.known[name] = zone
	}
}

// byOffsets finds a zone whose clocks show the same: the user's first.
func (z zones) byOffsets(c *ical.Component) (string, bool) {
	standard, daylight, changes := 0, 0, false
	for _, child := range c.Children {
		offset, ok := offsetOf(textOf(child, ical.PropTimezoneOffsetTo))
		if !ok {
			return "", false
		}
		switch child.Name {
		case ical.CompTimezoneStandard:
			standard = offset
		case ical.CompTimezoneDaylight:
			daylight, changes = offset, true
		}
	}
	if !changes {
		daylight = standard
	}
	for _, candidate := range append([]string{z.home}, likely...) {
		if zone, err := civil.Zone(candidate); err == nil {
			_, january := time.Date(2026, 1, 15, 12, 0, 0, 0, zone).Zone()
			_, july := time.Date(2026, 7, 15, 12, 0, 0, 0, zone).Zone()
			if min(january, july) == min(standard, daylight) && max(january, july) == max(standard, daylight) {
				return candidate, true
			}
		}
	}
	if !changes && standard%3600 == 0 && standard >= -12*3600 && standard <= 14*3600 {
		return fmt.Sprintf("Etc/GMT%+d", -standard/3600), true
	}
	return "", false
}

// offsetOf reads an offset such as +0130.
func offsetOf(text string) (seconds int, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) != 5 && len(text) != 7 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	hours, err := strconv.Atoi(text[1:3])
	minutes, other := strconv.Atoi(text[3:5])
	seconds = hours*3600 + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, err == nil && other == nil
}

// likely are zones that are tried by their offsets, those with the most people first.
var likely = []string{
	"Europe/Amsterdam", "Europe/London", "Europe/Athens", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
	"America/Sao_Paulo", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Asia/Dubai", "Australia/Sydney", "Pacific/Auckland", "Africa/Johannesburg",
}
