package push

import (
	"net/http"

	"rein/follow/deliver"
)

// UseTransport has everything sent by what a test brings.
func (p *Pusher) UseTransport(t http.RoundTripper) { p.client.Transport = t }

// Payload is payload for tests.
func Payload(m deliver.Message) ([]byte, error) { return payload(m) }

// MaxPayload is maxPayload for tests.
const MaxPayload = maxPayload

// SealWith is sealWith for tests: encryption with keys that are known.
func SealWith(shared, auth, salt, browser, own, payload []byte) ([]byte, error) {
	return sealWith(shared, auth, salt, browser, own, payload)
}
