//lint:file-ignore ST1001 a planted violation

package imports

import (
	"math/rand" // want import
	"net/http"  // want import
	"os"        // want import
	. "strings" // want import
	"sync"      // want import

	"golang.org/x/sync/errgroup" // want import
	"rein/store"                 // want import
)

var (
	_ = rand.Int()
	_ = http.MethodGet
	_ = os.Args
	_ = TrimSpace("")
	_ sync.Mutex
	_ errgroup.Group
	_ store.Filter
)
