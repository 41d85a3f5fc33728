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
		d.find(Wrong, "server", "correct server.listen, as in server.listen = \"127.0.0.1:7717\"", "%v", err)
	} else if len(warnings) > 0 {
		d.find(Warn, "server", "set server.tls_cert and server.tls_key, or put a proxy with TLS in front and set server.url", "other machines can connect to %s, and the connection is not encrypted", set.Listen)
	}
	if set.Cert == "" {
		return
	}
	pair, err := tls.LoadX509KeyPair(set.Cert, set.Key)
	if err != nil {
		d.find(Wrong, "certificate", "name a certificate and its key that can be read with server.tls_cert and server.tls_key", "%v", err)
		return
	}
	switch left := time.Until(pair.Leaf.NotAfter); {
	case left <= 0:
		d.find(Wrong, "certificate", "put a new one in its place, or name it with server.tls_cert; a running rein serve loads it by itself", "%s expired on %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	case left < renewBefore:
		d.find(Warn, "certificate", "put a new one in its place in time, or name it with server.tls_cert; a running rein serve loads it by itself", "%s is valid until %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	default:
		d.find(Fine, "certificate", "", "%s is valid until %s", set.Cert, units.Day(pair.Leaf.NotAfter))
	}
}

// checkWebhooks looks for what deliveries are signed with.
func (d *doctor) checkWebhooks(hooks map[string]config.Webhook, env config.Environment) {
	for _, name := range slices.Sorted(maps.Keys(hooks)) {
		if _, err := hooks[name].Secret(env); err != nil {
			d.find(Wrong, "webhook", "rein serve does not start without it: "+d.keyFix(hooks[name].SecretEnv), "%s: %v", name, err)
			continue
		}
		d.find(Fine, "webhook", "", "%s has its secret", name)
	}
}

// keyFix says how what is kept under a name of a key or a secret is set.
func (d *doctor) keyFix(name string) string {
	if secret, ok := strings.CutPrefix(name, "secret:"); ok {
		return d.tip("secrets set --shared " + secret)
	}
	return "`export " + name + "=…`"
}
