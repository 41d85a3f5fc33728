package verdict

import "strings"

// globHazard says why a glob must be asked about, because it may find a file that is sensitive; "" if it cannot. Names that
// begin with a dot are not found by it; see isTame.
func globHazard(glob string, write bool) string {
	glob = strings.NewReplacer(`\`, "", `'`, "", `"`, "").Replace(strings.ToLower(glob))
	for part := range strings.SplitSeq(glob, "/") {
		if i := strings.IndexByte(part, '['); i >= 0 {
			part = part[:i] + "*"
		}
		if !strings.ContainsAny(part, "*?") {
			continue
		}
		for _, h := range hazards {
			switch {
			case h.write && !write, strings.ContainsAny(h.pattern[:1], "./"):
			case strings.HasSuffix(h.pattern, "*") && part[0] == '*': // else *.go would be asked about, for secrets.go
			case overlap(part, h.pattern):
				return h.why
			}
		}
	}
	return ""
}

// overlap reports whether some name fits both of two patterns, in which a star is any text and a question mark any character.
func overlap(a, b string) bool {
	const most = 100 // a longer one is not looked at, and may fit
	if len(a) > most || len(b) > most {
		return true
	}
	fits := make([][]bool, len(a)+1) // by where both begin
	for i := len(a); i >= 0; i-- {
		fits[i] = make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			switch {
			case i < len(a) && a[i] == '*':
				fits[i][j] = fits[i+1][j] || j < len(b) && fits[i][j+1]
			case j < len(b) && b[j] == '*':
				fits[i][j] = fits[i][j+1] || i < len(a) && fits[i+1][j]
			case i == len(a) || j == len(b):
				fits[i][j] = i == len(a) && j == len(b)
			default:
				fits[i][j] = fits[i+1][j+1] && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
		}
	}
	return fits[0][0]
}
