package offline

// Says lets the tests know every fixed sentence.
var Says = map[string]map[string]string{"en": says[english], "nl": says[dutch]}
