package app

import (
	"crypto/tls"
	"maps"
	"slices"
	"strings"
	"time"

	"rein/app/config"
	"rein/internal/units"
	"rein/server/access"
)

// renewBefore is how long before its end a certificate should be replaced.
const renewBefore = 14 * 24 * time.Hour

// checkServer looks at how rein serve will be reached. What is as it is by default needs no look.
func (d *doctor) checkServer(set config.Server) {
	encrypted := set.Cert != "" || strings.HasPrefix(set.URL, "https://")
	if warnings, err := access.CheckListen(set.Listen, encrypted, true); err != nil {
		d.find(Wrong, "server", "fix it", "%v", err)
	} else if len(warnings) > 0 {
		d.find(Warn, "server", "set server.tls_cert and server.tls_key, or put a proxy with TLS in front and set server.url", "other machines can connect to %s, and the connection is not encrypted", set.Listen)
	}
	if set.Cert == "" {
		return
	}
	pair, err := tls.LoadX509KeyPair(set.Cert, set.Key)
	if err != nil {
		d.find(Wrong, "certificate", "fix server.tls_cert and server.tls_key", "%v", err)
		return
	}
	switch left := time.Until(pair.Leaf.NotAfter); {
	case left <= 0:
		d.find(Wrong, "certificate", "replace it; a running rein serve loads the new one by itself", "%s expired on %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	case left < renewBefore:
		d.find(Warn, "certificate", "replace it in time; a running rein serve loads the new one by itself", "%s is valid until %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	default:
		d.find(Fine, "certificate", "", "%s is valid until %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	}
}

// checkWebhooks looks for what deliveries are signed with.
func (d *doctor) checkWebhooks(hooks map[string]config.Webhook, env config.Environment) {
	for _, name := range slices.Sorted(maps.Keys(hooks)) {
		if _, err := hooks[name].Secret(env); err != nil {
			d.find(Wrong, "webhook", "rein serve does not start without it", "%s: %v", name, err)
			continue
		}
		d.find(Fine, "webhook", "", "%s has its secret", name)
	}
}
