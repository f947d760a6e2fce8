// Producer in C++17 with cppzmq, msgpack-c and nlohmann-json. Runs one case of check-producer; keeps level 5.
// Debian: apt install cppzmq-dev libmsgpack-cxx-dev nlohmann-json3-dev; g++ -O2 -std=c++17 producer.cpp -lzmq
#include <chrono>
#include <iostream>
#include <set>
#include <thread>
#include <time.h>
#include <unistd.h>

#define MSGPACK_NO_BOOST
#include <msgpack.hpp>
#include <nlohmann/json.hpp>
#include <zmq.hpp>
using json = nlohmann::ordered_json;
// CLOCK_MONOTONIC in nanoseconds. std::chrono::system_clock is the wall clock.
static int64_t monotonic() {
    timespec now{};
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1'000'000'000LL + now.tv_nsec : 0;
}

static void sleep_until(int64_t time) {
    if (time > monotonic()) std::this_thread::sleep_for(std::chrono::nanoseconds(time - monotonic()));
}

class Publisher {
    zmq::context_t context;
    zmq::socket_t socket{context, zmq::socket_type::xpub};
    std::vector<std::vector<uint8_t>> batch;
    const int64_t life = std::chrono::system_clock::now().time_since_epoch().count();
    const std::string source = "cpp-" + std::to_string(getpid());
    int64_t seq = 0;

public:
    explicit Publisher(const char* endpoint) {
        socket.set(zmq::sockopt::sndhwm, 0);  // no limit, instead of dropping
        socket.set(zmq::sockopt::linger, -1); // the destructor of the context waits until everything is sent
        socket.bind(endpoint);
        (void)socket.recv(*std::make_unique<zmq::message_t>()); // the subscription
    }

    void publish(const std::string& event, const std::string& sample, const json& fields = json::object()) {
        json record = {{"event_type", event}, {"timestamp_ns", monotonic()}, {"sample_uuid", sample}};
        record.update({{"source_id", source}, {"seq", seq++}, {"life", life}});
        record.update(fields);
        batch.push_back(json::to_msgpack(record));
        if (batch.size() == 1000 || event.rfind("session.", 0) == 0) flush();
    }

    void flush() {
        if (batch.empty()) return;
        msgpack::sbuffer frame;
        frame.write(std::string("batch").append(35, '\0').data(), 40); // the topic, padded with NUL
        msgpack::packer<msgpack::sbuffer> packer(frame);
        packer.pack_array(batch.size());
        for (const auto& record : batch) {
            packer.pack_bin(record.size()); // a std::string would become str
            packer.pack_bin_body(reinterpret_cast<const char*>(record.data()), record.size());
        }
        batch.clear();
        socket.send(zmq::buffer(frame.data(), frame.size()), zmq::send_flags::none);
    }

    void flood(const json& step) {
        const int64_t start = monotonic(), rate = step["samples_per_s"];
        for (int64_t i = 0; i < step["samples"]; i++) {
            const std::string sample = step["prefix"].get<std::string>() + std::to_string(i);
            publish("sample.issued", sample);
            publish("sample.complete", sample, {{"finish_reason", "stop"}});
            if (rate > 0 && i % 500 == 0) sleep_until(start + i * 1'000'000'000 / rate);
        }
    }
};

int main() {
    const json script = json::parse(std::cin);
    Publisher publisher(std::getenv("MA_ENDPOINT"));
    const int64_t zero = monotonic();
    std::set<std::string> streamed;
    for (const json& step : script["steps"]) {
        publisher.flush();
        sleep_until(zero + step["at_ms"].get<int64_t>() * 1'000'000);
        const std::string verb = step["do"], sample = step.value("sample", "");
        json fields = json::object();
        if (step.contains("text")) fields["data"] = {"TextModelOutput", step["text"]};
        for (const char* key : {"finish_reason", "usage", "turn"})
            if (step.contains(key)) fields[key] = step[key];
        if (verb == "session") publisher.publish(step["event"], "");
        if (verb == "chunk") publisher.publish(streamed.insert(sample).second ? "sample.recv_first" : "sample.recv_non_first", sample, fields);
        if (verb == "complete") publisher.publish("sample.complete", sample, fields);
        if (verb == "flood") publisher.flood(step);
        if (verb == "error") publisher.publish(step["event"], sample, {{"data", {"ErrorData", step["type"], step["message"]}}});
        if (verb == "issue") {
            fields["data"] = {"PromptData", step["prompt"]};
            fields["conversation_id"] = step.value("conversation", "");
            if (step.contains("scheduled_ms")) fields["scheduled_ns"] = zero + step["scheduled_ms"].get<int64_t>() * 1'000'000;
            publisher.publish("sample.issued", sample, fields);
        }
    }
    publisher.flush();
}
