package memory

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A knownName is a preference whose values rein understands.
type knownName struct {
	name string
	also []string // what people call it, too
	fit  func(value string) (string, error)
}

// The known preferences, what matters most first.
const (
	Allergies = "allergies"
	Diet      = "diet"
	Language  = "language"
	Units     = "units"
)

var known = []knownName{
	{Allergies, []string{"allergy", "allergie", "allergieën", "allergieen"}, fitAllergies},
	{Diet, []string{"dieet"}, fitDiet},
	{Language, []string{"taal"}, fitLanguage},
	{Units, []string{"eenheden", "measures"}, oneOf(units)},
}

const (
	maxAllergies = 30
	maxAllergen  = 60 // bytes
)

// List returns the values of a preference that is a list, such as allergies and diet.
func (p Preference) List() (all []string) {
	for part := range strings.SplitSeq(p.Value, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// fitAllergies takes a list of what somebody must not eat, with commas, semicolons or "and" between.
func fitAllergies(value string) (string, error) {
	var all []string
	for _, part := range between.Split(strings.Trim(value, "[]"), -1) {
		part = strings.ToLower(strings.Trim(part, " \"'."))
		switch {
		case part == "":
		case len(part) > maxAllergen:
			return "", fmt.Errorf("%.80q is too long: name each of them in at most %d bytes, with commas between", part, maxAllergen)
		case !slices.Contains(all, part):
			all = append(all, part)
		}
	}
	if len(all) == 0 || len(all) > maxAllergies {
		return "", fmt.Errorf("it is a list of 1 to %d things, with commas between; this one has %d", maxAllergies, len(all))
	}
	return strings.Join(all, ", "), nil
}

var between = regexp.MustCompile(`\s*[,;]\s*|\s+(?:and|en)\s+`)

// What people write, with what is kept for it.
var (
	diets = map[string]string{
		"vegetarian": "vegetarian", "vegetarisch": "vegetarian", "vegetariër": "vegetarian", "veggie": "vegetarian",
		"vegan": "vegan", "veganist": "vegan", "veganistisch": "vegan", "plant-based": "vegan",
		"pescatarian": "pescatarian", "pescetarian": "pescatarian", "pescotarisch": "pescatarian", "pescotariër": "pescatarian",
		"halal": "halal", "kosher": "kosher", "koosjer": "kosher",
		"gluten-free": "gluten-free", "glutenvrij": "gluten-free", "lactose-free": "lactose-free", "lactosevrij": "lactose-free",
		"low-carb": "low-carb", "koolhydraatarm": "low-carb", "low-salt": "low-salt", "zoutarm": "low-salt",
		"none": "none", "geen": "none", "omnivore": "none", "everything": "none", "alles": "none",
	}
	units     = map[string]string{"metric": "metric", "metrisch": "metric", "km": "metric", "imperial": "imperial", "imperiaal": "imperial", "miles": "imperial", "us": "imperial"}
	languages = map[string]string{"english": "en", "engels": "en", "dutch": "nl", "nederlands": "nl", "german": "de", "duits": "de", "french": "fr", "frans": "fr", "spanish": "es", "spaans": "es"}
	tag       = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$`)
)

// IsAboutAllergies reports whether a text speaks of what somebody must not eat or take.
func IsAboutAllergies(text string) bool { return allergic.MatchString(strings.ToLower(text)) }

var allergic = regexp.MustCompile(`allerg|anaphyla|anafyla|intoleran|epi-?pen|co?eliac|coeliak`)

// fitDiet takes one diet or several.
func fitDiet(value string) (string, error) {
	var all []string
	for _, part := range between.Split(value, -1) {
		if part == "" {
			continue
		}
		one, err := oneOf(diets)(strings.ReplaceAll(part, " ", "-"))
		if err != nil {
			return "", err
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	if len(all) > 1 && slices.Contains(all, "none") {
		return "", fmt.Errorf("none goes with no other diet")
	}
	return strings.Join(all, ", "), nil
}

func fitLanguage(value string) (string, error) {
	value = strings.ToLower(value)
	if known, ok := languages[value]; ok {
		return known, nil
	}
	if !tag.MatchString(value) {
		return "", fmt.Errorf("%.40q must be a language such as en, nl or nl-BE", value)
	}
	base, region, ok := strings.Cut(value, "-")
	if ok && len(region) == 2 {
		return base + "-" + strings.ToUpper(region), nil
	}
	return value, nil
}

// oneOf takes what people write for one of a few values.
func oneOf(values map[string]string) func(string) (string, error) {
	return func(value string) (string, error) {
		if kept, ok := values[strings.ToLower(value)]; ok {
			return kept, nil
		}
		names := slices.Sorted(maps.Values(values))
		return "", fmt.Errorf("%.40q must be one of %s", value, strings.Join(slices.Compact(names), ", "))
	}
}
