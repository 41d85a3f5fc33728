package api

import (
	"rein"
)

// Deliveries is the answer to GET /v1/deliveries: what webhooks have received, and what still waits.
type Deliveries = rein.Deliveries
