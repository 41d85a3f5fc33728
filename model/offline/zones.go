package offline

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a bare machine has no zones of its own
	"unicode"
)

// areas are the parts of the world under which the zones have the names of cities.
var areas = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"}

// cities are those that people call otherwise than the zones do, or that have the zone of another.
var cities = map[string]string{
	"tokio": "tokyo", "londen": "london", "parijs": "paris", "berlijn": "berlin", "brussel": "brussels",
	"wenen": "vienna", "praag": "prague", "lissabon": "lisbon", "athene": "athens", "moskou": "moscow", "kopenhagen": "copenhagen",
	"beijing": "shanghai", "peking": "shanghai", "delhi": "kolkata", "new delhi": "kolkata", "mumbai": "kolkata",
	"san francisco": "los angeles", "washington": "new york", "boston": "new york", "rotterdam": "amsterdam", "utrecht": "amsterdam",
}

// zoneSlots are the names under which a clock takes a zone.
var zoneSlots = []string{"in_zone", "zone", "timezone", "time_zone", "tz"}

// zone returns the argument for the time zone that the message names, or none: "Asia/Tokyo", "UTC",
// or a city that has a zone of its name. A place that is not known is left out, and the clock itself
// says of which zone its time is.
func (t *turn) zone() map[string]any {
	name := zoneNamed(t.question)
	if name == "" {
		return nil
	}
	args := map[string]any{}
	for _, slot := range zoneSlots {
		args[slot] = name
	}
	return args
}

func zoneNamed(text string) string {
	for _, field := range strings.Fields(text) {
		bare := strings.TrimRight(strings.Trim(field, around), ".")
		if (bare == "UTC" || strings.Contains(bare, "/") && isPathWord(bare)) && isZone(bare) {
			return bare
		}
	}
	words := tokenise(text)
	place := words[slices.Index(words, "in")+1:]
	for n := min(3, len(place)); n > 0; n-- { // "new york" before "new"
		if name := cityZone(strings.Join(place[:n], " ")); name != "" {
			return name
		}
	}
	return ""
}

// cityZone returns the zone of a city, or "".
func cityZone(city string) string {
	if other, ok := cities[city]; ok {
		city = other
	}
	parts := strings.Fields(city)
	for i, p := range parts {
		first := []rune(p)
		first[0] = unicode.ToUpper(first[0])
		parts[i] = string(first)
	}
	for _, area := range areas {
		if name := area + "/" + strings.Join(parts, "_"); isZone(name) {
			return name
		}
	}
	return ""
}

func isZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil
}
