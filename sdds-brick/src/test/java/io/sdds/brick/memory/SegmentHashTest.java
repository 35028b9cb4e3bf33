package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sdds.core.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SegmentHashTest {

    @Test
    void equalsXxh3OfTheSameBytesAtEveryLength() {
        Random random = new Random(Seeds.next("SegmentHashTest.equalsXxh3OfTheSameBytesAtEveryLength"));
        byte[] bytes = new byte[600];
        random.nextBytes(bytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(700);
            for (int length = 1; length <= bytes.length; length++) {
                int offset = random.nextInt(100);
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, offset, length);
                assertThat(SegmentHash.hash(segment, offset, length))
                        .as("length %d", length)
                        .isEqualTo(Hashing.xxh3_64().hashBytesToLong(bytes, 0, length));
            }
        }
    }

    @Test
    void equalsTheReferenceImplementationsValue() {
        // XXH3_64bits("a", 1) with seed 0, from the reference implementation.
        MemorySegment key = MemorySegment.ofArray(new byte[] {'a'});
        assertThat(SegmentHash.hash(key, 0, 1)).isEqualTo(0xe6c632b61e964e1fL);
    }
}
