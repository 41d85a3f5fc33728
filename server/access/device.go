package access

import (
	"net/http"
	"strings"
)

// marks are how browsers and systems say what they are. The first that is found counts: browsers name others too.
var (
	browserMarks = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"FxiOS", "Firefox"}, {"Firefox/", "Firefox"}, {"CriOS", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}}
	systemMarks  = [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"}}
)

// deviceOf is what people call the browser that sends a request, as far as it says what it is.
func deviceOf(r *http.Request) string {
	agent := r.UserAgent()
	find := func(marks [][2]string) string {
		for _, m := range marks {
			if strings.Contains(agent, m[0]) {
				return m[1]
			}
		}
		return ""
	}
	browser, system := find(browserMarks), find(systemMarks)
	switch {
	case browser == "":
		return system
	case system == "":
		return browser
	}
	return browser + " on " + system
}
