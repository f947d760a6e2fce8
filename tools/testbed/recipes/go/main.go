// Producer in Go with go-zeromq/zmq4 and vmihailenco/msgpack. Runs one case of check-producer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/vmihailenco/msgpack/v5"
	"golang.org/x/sys/unix"
)

type object = map[string]any

var (
	socket zmq4.Socket
	batch  [][]byte
	seq    int64
	life   = time.Now().UnixNano() // differs between two starts; never a timestamp_ns
	source = fmt.Sprintf("go-%d", os.Getpid())
)

// monotonic reads CLOCK_MONOTONIC. time.Now().UnixNano() is the wall clock.
func monotonic() int64 {
	var now unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_MONOTONIC, &now))
	return now.Nano()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func encode(value any) []byte {
	bytes, err := msgpack.Marshal(value) // string becomes str and []byte becomes bin
	check(err)
	return bytes
}

func publish(event, sample string, fields object) {
	record := object{"event_type": event, "timestamp_ns": monotonic(), "sample_uuid": sample, "source_id": source, "seq": seq, "life": life}
	for key, value := range fields {
		if value != nil {
			record[key] = value
		}
	}
	seq++
	batch = append(batch, encode(record))
	if len(batch) == 1000 || strings.HasPrefix(event, "session.") {
		flush()
	}
}

func flush() {
	if len(batch) > 0 {
		topic := make([]byte, 40)
		copy(topic, "batch")
		check(socket.Send(zmq4.NewMsg(append(topic, encode(batch)...))))
		batch = nil
	}
}

// integers makes numbers of JSON integers again, which Go decodes as float64.
func integers(value any) any {
	if usage, ok := value.(object); ok {
		for key, each := range usage {
			if number, ok := each.(float64); ok {
				usage[key] = int64(number)
			}
		}
	}
	return value
}

func main() {
	var script struct{ Steps []object }
	check(json.NewDecoder(os.Stdin).Decode(&script))
	socket = zmq4.NewXPub(context.Background())
	check(socket.Listen(os.Getenv("MA_ENDPOINT")))
	for len(socket.(zmq4.Topics).Topics()) == 0 { // until a subscription has arrived
		time.Sleep(time.Millisecond)
	}
	zero, streamed := monotonic(), map[any]bool{}
	for _, step := range script.Steps {
		if wait := zero + int64(step["at_ms"].(float64))*1e6 - monotonic(); wait > 0 {
			flush()
			time.Sleep(time.Duration(wait))
		}
		perform(step, zero, streamed)
	}
	flush()
	time.Sleep(2 * time.Second) // Close discards what is not sent yet: the package has no linger
	check(socket.Close())
}
