package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"rein"
)

// The headers of a delivery.
const (
	SignatureHeader = "Rein-Signature" // t=UNIX,v1=HEX
	DeliveryHeader  = "Rein-Delivery"  // the ID, the same on every try
	EventHeader     = "Rein-Event"     // the kind
)

// Sign returns the signature of a body at a time: of the time, a point and the body, so that an old
// delivery cannot be sent again by who has seen it.
func Sign(secret string, at time.Time, body []byte) string {
	unix := strconv.FormatInt(at.Unix(), 10)
	return "t=" + unix + ",v1=" + hex.EncodeToString(mac(secret, unix, body))
}

func mac(secret, unix string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(unix + "."))
	h.Write(body)
	return h.Sum(nil)
}

// Tolerance is how far the clocks of sender and receiver may be apart.
const Tolerance = 5 * time.Minute

const maxHeader = 1024

// Verify is for receivers: it says what is wrong with a delivery's signature, if anything. A header
// may hold several signatures v1, and one must fit; parts that are not known are passed over.
func Verify(secret, header string, body []byte, now time.Time) error {
	if secret == "" || len(header) > maxHeader {
		return forged("there is no secret, or the header is longer than %d bytes", maxHeader)
	}
	unix, fits := "", false
	var signatures [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if unix != "" {
				return forged("it has two times")
			}
			unix = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				signatures = append(signatures, signature)
			}
		}
	}
	at, err := strconv.ParseInt(unix, 10, 64)
	if err != nil || len(signatures) == 0 {
		return forged("it must be t=UNIX,v1=HEX")
	}
	want := mac(secret, unix, body)
	for _, signature := range signatures {
		fits = hmac.Equal(signature, want) || fits
	}
	if !fits {
		return forged("it does not fit the body: is the secret the same?")
	}
	if late := now.Unix() - at; late > int64(Tolerance.Seconds()) || late < -int64(Tolerance.Seconds()) {
		return forged("it was made %d s before now; at most %s are allowed either way", late, Tolerance)
	}
	return nil
}

func forged(format string, args ...any) error {
	return rein.Errorf(rein.CodeUnauthorized, SignatureHeader+": "+format, args...)
}
