package storetest

var endTests, commandTests, askTests, stopTests, eventTests, viewTests, eraseTests, verifyTests, concurrencyTests []test
