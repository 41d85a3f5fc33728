package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"rein"
	"rein/internal/outbound"
)

// maxAnswer is how much of a target's answer is read, so that its connection can be used again; what
// it says does not matter.
const maxAnswer = 64 << 10

// A result is what came of a try.
type result struct {
	ok   bool
	over string // there is nothing to tell any more, and why
	gone bool   // the target wants to be told nothing more
	cut  bool   // by shutting down
	err  string
	wait time.Duration // what the target asked for
}

// try sends a delivery once.
func (c *courier) try(ctx context.Context, d rein.Delivery) result {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	body, over, err := c.message(ctx, d)
	switch {
	case over != "":
		return result{over: over}
	case err != nil:
		return failure(ctx, fmt.Errorf("it could not be read: %w", err))
	}
	secret := c.Secret()
	if secret == "" {
		return result{err: "its secret is not in the environment any more"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address.String(), bytes.NewReader(body))
	if err != nil {
		return failure(ctx, err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "rein-webhook/1",
		DeliveryHeader: d.ID, EventHeader: string(d.Kind), SignatureHeader: Sign(secret, time.Now(), body),
	} {
		request.Header.Set(name, value)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return failure(ctx, err)
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // its status is all that counts
	return judge(response)
}

func judge(response *http.Response) result {
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return result{ok: true}
	case status == http.StatusGone:
		return result{gone: true, err: "answered 410: it wants to be told nothing more, and is disabled"}
	case status >= 300 && status < 400:
		return result{err: fmt.Sprintf("answered %d: redirects are not followed; name where it leads to", status)}
	default:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // a date is not understood, and none
		wait := time.Duration(max(0, min(seconds, int(mostPause.Seconds())))) * time.Second
		return result{err: fmt.Sprintf("answered %d", status), wait: wait}
	}
}

// failure says why nothing was answered. The URL is left out: its path may be a secret.
func failure(ctx context.Context, err error) result {
	if errors.Is(ctx.Err(), context.Canceled) {
		return result{cut: true}
	}
	if ctx.Err() != nil {
		return result{err: fmt.Sprintf("did not answer within %s", tryLimit)}
	}
	why := outbound.Reason(err)
	if _, refused := errors.AsType[*outbound.RefusedError](err); refused {
		why += ": mark the target as private if it is meant"
	}
	return result{err: rein.Clip(why, 300)}
}

// applyTo returns the delivery as the try leaves it, and whether nothing can follow from it.
func (r result) applyTo(d rein.Delivery, first time.Duration, now time.Time) (_ rein.Delivery, settled bool) {
	d.Changed, d.Error = now, r.err
	if r.over != "" {
		d.State, d.Error = rein.DeliveryDropped, r.over
		return d, d.Tries == 0
	}
	d.Tries++
	last := d.Created.Add(Patience)
	switch {
	case r.ok:
		d.State = rein.Delivered
		return d, d.Kind != rein.WebhookAskOpened
	case r.gone: // it waits until the target is enabled
		d.Next = now
	case !now.Before(last):
		d.State = rein.DeliveryGivenUp
		return d, d.Kind != rein.WebhookAskOpened
	default:
		d.Next = now.Add(max(pause(first, d.Tries), r.wait))
		if d.Next.After(last) {
			d.Next = last
		}
	}
	return d, false
}

// pause is how long to wait after so many tries: twice as long each time, with some chance in it so
// that what failed together is not tried together.
func pause(first time.Duration, tries int) time.Duration {
	p := first
	for i := 1; i < tries && p < mostPause; i++ {
		p *= 2
	}
	p = min(p, mostPause)
	return p - p/4 + time.Duration(rand.Int64N(int64(p)/2+1))
}
