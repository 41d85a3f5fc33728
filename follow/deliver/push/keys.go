package push

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
	"time"

	"rein"
)

// base64url is how keys and signatures are written.
var base64url = base64.RawURLEncoding

// A Box keeps the private key, sealed.
type Box interface {
	Get(ctx context.Context) ([]byte, error) // CodeNotFound: there is none yet
	Put(ctx context.Context, value []byte) error
}

// keys are the key pair by which push services know this server (VAPID, RFC 8292). Browsers subscribe with the public half,
// so it is made once and kept: a new pair would end every subscription.
type keys struct {
	box Box

	mu   sync.Mutex
	pair *ecdsa.PrivateKey
}

func (k *keys) get(ctx context.Context) (*ecdsa.PrivateKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pair != nil {
		return k.pair, nil
	}
	kept, err := k.box.Get(ctx)
	if rein.CodeOf(err) == rein.CodeNotFound {
		k.pair, err = k.make(ctx)
		return k.pair, err
	}
	if err != nil {
		return nil, err
	}
	k.pair, err = x509.ParseECPrivateKey(kept)
	if err != nil {
		k.pair = nil
		return nil, rein.Errorf(rein.CodeDamaged, "the key of web push cannot be read: %w", err)
	}
	return k.pair, nil
}

func (k *keys) make(ctx context.Context) (*ecdsa.PrivateKey, error) {
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	kept, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		return nil, err
	}
	return pair, k.box.Put(ctx, kept)
}

// public is the public half as browsers take it.
func public(pair *ecdsa.PrivateKey) (string, error) {
	point, err := pair.PublicKey.Bytes()
	return base64url.EncodeToString(point), err
}

// tokenLife is how long a push service can take a token for ours; it may be a day at most.
const tokenLife = 12 * time.Hour

// authorization proves to the push service at an origin who sends.
func authorization(pair *ecdsa.PrivateKey, origin, contact string, now time.Time) (string, error) {
	claims := map[string]any{"aud": origin, "exp": now.Add(tokenLife).Unix()}
	if contact != "" {
		claims["sub"] = contact
	}
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed := base64url.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + base64url.EncodeToString(body)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, pair, sum[:])
	if err != nil {
		return "", err
	}
	key, err := public(pair)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("vapid t=%s.%s, k=%s", signed, base64url.EncodeToString(append(fixed(r), fixed(s)...)), key), nil
}

// fixed is a number of P-256 in its 32 bytes.
func fixed(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }
