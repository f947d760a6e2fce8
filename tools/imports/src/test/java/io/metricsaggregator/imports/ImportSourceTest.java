package io.metricsaggregator.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportSourceTest {
    @TempDir
    private Path folder;

    private static byte[] gzip(byte[] content, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < times; i++) {
                out.write(content);
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void gzip_and_a_byte_order_mark_are_removed_and_the_digest_is_of_the_file() throws Exception {
        byte[] file = gzip("\ufeff{\"a\":[{\"b\":1}]}".getBytes(StandardCharsets.UTF_8), 1);
        ImportSource source = ImportSource.of("x.gz", new ByteArrayInputStream(file));

        assertThat(source.head().paths()).containsExactlyInAnyOrder("a", "a[].b");
        assertThat(new String(source.text().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":[{\"b\":1}]}");
        assertThat(source.sha256())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(file)));
        assertThat(source.bytes()).isEqualTo(file.length);
    }

    @Test
    void the_digest_is_of_the_whole_file_even_if_only_its_head_was_read() throws Exception {
        byte[] file = new byte[300_000];
        ImportSource source = ImportSource.of("x", new ByteArrayInputStream(file));

        assertThat(source.sha256())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(file)));
    }

    @Test
    void the_digest_is_known_after_a_parser_closed_the_text() throws Exception {
        byte[] file = "{}".getBytes(StandardCharsets.UTF_8);
        Path path = Files.write(folder.resolve("f.json"), file);
        try (ImportSource source = ImportSource.open(path)) {
            source.text().readAllBytes();
            source.text().close();

            assertThat(source.sha256())
                    .isEqualTo(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(file)));
        }
    }

    @Test
    void a_file_that_expands_without_bound_is_refused() throws Exception {
        byte[] bomb = gzip(new byte[1 << 20], 1100);
        ImportSource source = ImportSource.of("bomb.gz", new ByteArrayInputStream(bomb));

        assertThatThrownBy(() -> source.text().transferTo(OutputStream.nullOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expands more than 250 times");
    }

    @Test
    void paths_of_a_head_that_is_cut_short_are_those_before_the_cut() throws Exception {
        ImportSource source = CollectingSink.source("{\"x\":1,\"y\":[1,{\"z\":[");

        assertThat(source.head().paths()).containsExactlyInAnyOrder("x", "y", "y[].z");
    }

    private static byte[] concatenated(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] each : parts) {
            all.writeBytes(each);
        }
        return all.toByteArray();
    }

    /** A member whose header has all optional fields. */
    private static byte[] withFullHeader(byte[] member) {
        byte[] header = {0x1f, (byte) 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 'x', 'y', 'n', 0, 'c', 'o', 0, 1, 2};
        return concatenated(header, Arrays.copyOfRange(member, 10, member.length));
    }

    @Test
    void a_gzip_file_cut_at_any_byte_is_read_as_far_as_it_inflates_and_counted() throws Exception {
        byte[] one = "first line\nsecond".getBytes(StandardCharsets.UTF_8);
        byte[] two = " line\nthird line\n".getBytes(StandardCharsets.UTF_8);
        byte[] first = withFullHeader(gzip(one, 1));
        byte[] file = concatenated(first, gzip(two, 1));
        String whole = new String(concatenated(one, two), StandardCharsets.UTF_8);
        for (int length = 1; length < file.length; length++) {
            ImportSource source = ImportSource.of("x.gz", new ByteArrayInputStream(file, 0, length));

            String text = new String(source.text().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(whole).startsWith(text);
            assertThat(text.length()).isGreaterThanOrEqualTo(length >= first.length ? one.length : 0);
            if (length == first.length) {
                assertThat(source.damage()).isEmpty();
            } else {
                assertThat(source.isCut()).as("cut after %d bytes", length).isTrue();
                assertThat(source.damage()).containsOnlyKeys("truncated");
            }
        }
    }

    @Test
    void wrong_checksums_damage_and_trailing_bytes_of_gzip_are_counted_by_name() throws Exception {
        byte[] good = gzip("a line\n".getBytes(StandardCharsets.UTF_8), 3);
        byte[] wrongCrc = good.clone();
        wrongCrc[good.length - 8] ^= 1;
        byte[] wrongSize = good.clone();
        wrongSize[good.length - 1] ^= 1;
        byte[] broken = good.clone();
        Arrays.fill(broken, 10, 16, (byte) 0xff);

        assertThat(damage(concatenated(wrongCrc, wrongSize))).isEqualTo(Map.of("gzip_checksum_wrong", 2L));
        assertThat(damage(broken)).isEqualTo(Map.of("gzip_damaged", 1L));
        assertThat(damage(concatenated(good, new byte[] {1, 2}))).isEqualTo(Map.of("gzip_trailing_bytes", 1L));
        assertThat(damage(concatenated(good, new byte[512]))).isEmpty();
    }

    private static Map<String, Long> damage(byte[] file) throws IOException {
        ImportSource source = ImportSource.of("x.gz", new ByteArrayInputStream(file));
        source.text().transferTo(OutputStream.nullOutputStream());
        return source.damage();
    }

    @Test
    void content_that_is_no_utf_8_text_is_named() throws Exception {
        String text = "{\"a\": 1}\n{\"a\": 2}\n";
        assertThat(foreign(
                        concatenated(new byte[] {(byte) 0xff, (byte) 0xfe}, text.getBytes(StandardCharsets.UTF_16LE))))
                .startsWith("is UTF-16 (byte order mark FF FE)");
        assertThat(foreign(text.getBytes(StandardCharsets.UTF_16))).startsWith("is UTF-16 (byte order mark FE FF)");
        assertThat(foreign(text.getBytes(StandardCharsets.UTF_16LE))).startsWith("is UTF-16 (every second byte is 0");
        assertThat(foreign(text.getBytes(StandardCharsets.UTF_16BE))).startsWith("is UTF-16 (every second byte is 0");
        assertThat(foreign(gzip(text.getBytes(StandardCharsets.UTF_16LE), 1))).startsWith("is UTF-16");
        assertThat(foreign(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0}))
                .startsWith("is compressed with zstd");
        assertThat(foreign(text.getBytes(StandardCharsets.UTF_8))).isNull();
        assertThat(foreign("SQLite format 3\0\20\0".getBytes(StandardCharsets.UTF_8)))
                .isNull();
        assertThat(foreign(new byte[100])).isNull();
        assertThat(foreign(new byte[0])).isNull();
    }

    private static @Nullable String foreign(byte[] content) throws IOException {
        return ImportSource.of("x", new ByteArrayInputStream(content)).foreign();
    }

    @Test
    void the_digest_of_an_endless_input_is_refused() throws Exception {
        ImportSource source = ImportSource.of("-", new InputStream() {
            @Override
            public int read() {
                return 0;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                return length;
            }
        });

        assertThatThrownBy(source::sha256).isInstanceOf(IOException.class).hasMessageContaining("endless input");
    }

    @Test
    void a_source_counts_the_lines_of_its_text() throws Exception {
        ImportSource source = CollectingSink.source("one\ntwo\nthree");
        assertThat(source.line()).isEqualTo(1);

        source.text().readAllBytes();

        assertThat(source.line()).isEqualTo(3);
    }
}
