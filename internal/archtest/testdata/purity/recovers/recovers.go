package recovers

func flow() {
	defer func() {
		_ = recover() // want recover
	}()
	defer recover() // want recover
}

var _ = flow
