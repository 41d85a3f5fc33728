package api

import (
	"rein"
)

// Deliveries is the answer to GET /v1/deliveries: what was told to webhooks, and what was not yet.
type Deliveries = rein.Deliveries
