package main

import (
	"fmt"
	"time"
)

func text(step object, key string) string {
	value, _ := step[key].(string)
	return value
}

// perform publishes the records of one step.
func perform(step object, zero int64, streamed map[any]bool) {
	sample, fields := text(step, "sample"), object{}
	switch step["do"] {
	case "session":
		publish(text(step, "event"), "", nil)
	case "issue":
		fields["data"] = []any{"PromptData", step["prompt"]}
		fields["conversation_id"] = text(step, "conversation")
		if turn, ok := step["turn"].(float64); ok {
			fields["turn"] = int64(turn)
		}
		if scheduled, ok := step["scheduled_ms"].(float64); ok {
			fields["scheduled_ns"] = zero + int64(scheduled)*1e6
		}
		publish("sample.issued", sample, fields)
	case "chunk":
		event := "sample.recv_first"
		if streamed[sample] {
			event = "sample.recv_non_first"
		}
		streamed[sample] = true
		publish(event, sample, object{"data": []any{"TextModelOutput", step["text"]}})
	case "complete":
		fields["finish_reason"], fields["usage"] = step["finish_reason"], integers(step["usage"])
		if step["text"] != nil {
			fields["data"] = []any{"TextModelOutput", step["text"]}
		}
		publish("sample.complete", sample, fields)
	case "error":
		publish(text(step, "event"), sample, object{"data": []any{"ErrorData", step["type"], step["message"]}})
	case "flood":
		start, rate := time.Now(), step["samples_per_s"].(float64)
		for i := 0; i < int(step["samples"].(float64)); i++ {
			id := fmt.Sprintf("%s%d", step["prefix"], i)
			publish("sample.issued", id, nil)
			publish("sample.complete", id, object{"finish_reason": "stop"})
			if rate > 0 && i%500 == 0 {
				time.Sleep(time.Until(start.Add(time.Duration(float64(i) / rate * 1e9))))
			}
		}
	}
}
