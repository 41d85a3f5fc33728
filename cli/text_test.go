package cli

import "testing"

// What rein tells people to type can be pasted, whatever their folders are called.
func TestTipsCanBePasted(t *testing.T) {
	for folder, want := range map[string]string{
		"":              "`rein show r1`",
		"/srv/rein":     "`rein show r1 --data /srv/rein`",
		"/srv/übung":    "`rein show r1 --data /srv/übung`",
		"/srv/my data":  "`rein show r1 --data '/srv/my data'`",
		"~/rein":        "`rein show r1 --data '~/rein'`",
		"/srv/ann's;rm": "`rein show r1 --data '/srv/ann'\\''s;rm'`",
	} {
		c := call{}
		c.data = folder
		if got := c.tip("show r1"); got != want {
			t.Errorf("%q: %s, want %s", folder, got, want)
		}
	}
}
