package io.metricsaggregator.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the golden cases of the load-generator events. */
public final class Golden {
    private static final Path ENDPOINTS = Path.of(System.getProperty("golden.dir", "../quality/golden"), "endpoints");

    private Golden() {}

    public static Map<String, @Nullable Object> vectors() throws IOException {
        return JsonTree.read(Files.readAllBytes(ENDPOINTS.resolve("codec_vectors.json")));
    }

    /** Returns the records of a file that lists them as hexadecimal strings, by name. */
    public static List<Map.Entry<String, byte[]>> records(String file) throws IOException {
        String wrapped = "{\"records\":" + Files.readString(ENDPOINTS.resolve(file)) + "}";
        List<Map.Entry<String, byte[]>> records = new ArrayList<>();
        for (Object element : (List<?>) JsonTree.read(wrapped.getBytes()).get("records")) {
            Map<?, ?> record = (Map<?, ?>) element;
            records.add(Map.entry((String) record.get("record"), hex((String) record.get("hex"))));
        }
        return records;
    }

    /** Returns the frames of a case, topic included. */
    public static List<byte[]> frames(String caseName) throws IOException {
        ByteBuffer file =
                ByteBuffer.wrap(Files.readAllBytes(ENDPOINTS.resolve(caseName).resolve("frames.bin")));
        List<byte[]> frames = new ArrayList<>();
        while (file.hasRemaining()) {
            byte[] frame = new byte[file.getInt()];
            file.get(frame);
            frames.add(frame);
        }
        return frames;
    }

    public static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
