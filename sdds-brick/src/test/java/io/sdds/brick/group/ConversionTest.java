package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Opcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A table with replicas is converted to parity, at the bricks: records get ranks, parities join, backups leave. */
class ConversionTest {
    private static final int VALUE_BYTES = 100;
    private static final long SESSION = 1;

    private ConversionFixture table = new ConversionFixture(TableKind.HASH, 2, 64 << 20);
    private long seq;

    @AfterEach
    void close() {
        table.close();
    }

    private void begin(TableKind kind, int replicas, long bytes) {
        table.close();
        table = new ConversionFixture(kind, replicas, bytes);
    }

    private void write(byte opcode, int column, int key, int valueBytes, long ttlMillis) {
        table.primary(column).write(opcode, SESSION, ++seq, table.key(column, key), valueBytes, ttlMillis);
    }

    private void put(int column, int key) {
        write(Opcode.PUT, column, key, VALUE_BYTES, 0);
    }

    private void putAll(int from, int to) {
        for (int key = from; key < to; key++) {
            for (int column = 0; column < ConversionFixture.COLUMNS; column++) {
                put(column, key);
            }
            table.pump();
        }
    }

    private void check(Object context) {
        table.run(2);
        table.checkBackups(context);
        table.checkRanks(context);
        table.checkParities(context);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void recordsGetRanksAndParitiesAndLoseTheirBackups(TableKind kind) {
        begin(kind, 2, 64 << 20);
        putAll(0, 500);
        table.convert();
        table.rankAll();
        check("ranked");
        putAll(400, 600);
        write(Opcode.REMOVE, 0, 7, 0, 0);
        check("written to");
        table.joinAll();
        check("with parities");
        putAll(500, 700);
        write(Opcode.REMOVE, 1, 9, 0, 0);
        check("with parities, written to");
        table.end();
        check("on parity");
        putAll(600, 800);
        write(Opcode.REMOVE, 1, 11, 0, 0);
        check("on parity, written to");
        assertThat(table.primary(0).partition.bucket().records()).isEqualTo(799);
    }
}
