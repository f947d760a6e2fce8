package io.metricsaggregator.flink.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker and controller in this process, on free ports of the loopback interface. */
public final class KafkaBroker implements AutoCloseable {
    private final KafkaRaftServer server;
    private final String address;

    private KafkaBroker(KafkaRaftServer server, String address) {
        this.server = server;
        this.address = address;
    }

    /** Starts a broker; takes some seconds. */
    public static KafkaBroker start(Path directory) throws IOException {
        String address = "localhost:" + freePort();
        String controller = "localhost:" + freePort();
        Properties config = new Properties();
        config.put("process.roles", "broker,controller");
        config.put("node.id", "1");
        config.put("controller.quorum.voters", "1@" + controller);
        config.put("listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller);
        config.put("controller.listener.names", "CONTROLLER");
        config.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        config.put("log.dirs", directory.resolve("log").toString());
        config.put("offsets.topic.replication.factor", "1");
        config.put("transaction.state.log.replication.factor", "1");
        config.put("transaction.state.log.min.isr", "1");
        // Messages have the times of their runs, which may be long ago.
        config.put("log.retention.ms", "-1");
        Path file = directory.resolve("server.properties");
        try (Writer out = Files.newBufferedWriter(file)) {
            config.store(out, null);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] format = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
        if (StorageTool.execute(format, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
            throw new IOException(said.toString(StandardCharsets.UTF_8));
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(config), Time.SYSTEM);
        server.startup();
        return new KafkaBroker(server, address);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Host and port, as {@code --kafka} takes them. */
    public String address() {
        return address;
    }

    public void createTopic(String name, int partitions) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    public KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", address, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
