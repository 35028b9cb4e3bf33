package io.sdds.brick.query;

import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A program that was read and checked, with the tables of its lists. The stages of a brick share it. Nothing of it
 * changes, but each stage prepares it for itself, once.
 */
public final class KeptProgram {
    /** About the bytes of a constant beside its own: of its object and of the reference. */
    private static final int OBJECT_BYTES = 24;

    private final Program program;
    private final Map<Integer, ConstantTable> tables;
    private final long bytes;
    private final Map<Programs, PreparedProgram> prepared = new ConcurrentHashMap<>();

    /**
     * @param tables by the number of the instruction
     * @param encodedBytes length of the program
     */
    KeptProgram(Program program, Map<Integer, ConstantTable> tables, int encodedBytes) {
        this.program = program;
        this.tables = tables;
        long sum = encodedBytes;
        for (ConstantTable table : tables.values()) {
            sum += table.bytes();
        }
        for (Instruction instruction : program.instructions()) {
            sum += instruction.op() == Op.IN
                    ? (long) OBJECT_BYTES * instruction.constants().size()
                    : 0;
        }
        this.bytes = sum;
    }

    Program program() {
        return program;
    }

    Map<Integer, ConstantTable> tables() {
        return tables;
    }

    /** About the bytes of memory that it takes. */
    long bytes() {
        return bytes;
    }

    /** The program as a stage has prepared it. */
    PreparedProgram preparedFor(Programs stage) {
        return prepared.computeIfAbsent(stage, programs -> programs.prepare(this));
    }
}
