package io.metricsaggregator.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
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
}
