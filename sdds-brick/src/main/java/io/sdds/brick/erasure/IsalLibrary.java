package io.sdds.brick.erasure;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The functions of Intel's ISA-L, where the library is installed. All pointers are addresses of native memory.
 *
 * @param initTables {@code void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls)}
 * @param encodeData {@code void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
 *     unsigned char **coding)}
 * @param encodeDataUpdate {@code void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *g_tbls,
 *     unsigned char *data, unsigned char **coding)}
 */
record IsalLibrary(MethodHandle initTables, MethodHandle encodeData, MethodHandle encodeDataUpdate) {
    /** Bytes of the tables of one coefficient. */
    static final long TABLE_BYTES = 32;

    private static final String[] FILES = {"libisal.so.2", "libisal.2.dylib"};

    /** The library; null where it is not installed, or native calls are not permitted. */
    static final @Nullable IsalLibrary INSTALLED = open();

    private static @Nullable IsalLibrary open() {
        if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return null;
        }
        for (String file : FILES) {
            try {
                return new IsalLibrary(Linker.nativeLinker(), SymbolLookup.libraryLookup(file, Arena.global()));
            } catch (IllegalArgumentException | NoSuchElementException e) {
                // There is no such file, or it lacks a function.
            } catch (IllegalCallerException | UnsupportedOperationException e) {
                return null;
            }
        }
        return null;
    }

    private IsalLibrary(Linker linker, SymbolLookup symbols) {
        this(
                handle(linker, symbols, "ec_init_tables", 2, 2),
                handle(linker, symbols, "ec_encode_data", 3, 3),
                handle(linker, symbols, "ec_encode_data_update", 4, 3));
    }

    private static MethodHandle handle(Linker linker, SymbolLookup symbols, String name, int ints, int pointers) {
        FunctionDescriptor descriptor = FunctionDescriptor.ofVoid();
        for (int i = 0; i < ints; i++) {
            descriptor = descriptor.appendArgumentLayouts(ValueLayout.JAVA_INT);
        }
        for (int i = 0; i < pointers; i++) {
            descriptor = descriptor.appendArgumentLayouts(ValueLayout.JAVA_LONG);
        }
        // A critical call costs a few nanoseconds, but delays the collector until it returns: callers bound its length.
        return linker.downcallHandle(symbols.findOrThrow(name), descriptor, Linker.Option.critical(false));
    }

    /** Expands {@code rows × columns} coefficients into tables. */
    void initTables(int columns, int rows, MemorySegment coefficients, MemorySegment tables) {
        try {
            initTables.invokeExact(columns, rows, coefficients.address(), tables.address());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sets outputs to the product of a matrix with inputs. */
    void encode(int length, int columns, int rows, long tables, long inputs, long outputs) {
        try {
            encodeData.invokeExact(length, columns, rows, tables, inputs, outputs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Adds a multiple of one input to one output. */
    void update(int length, long tables, long input, long outputs) {
        try {
            encodeDataUpdate.invokeExact(length, 1, 1, 0, tables, input, outputs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable cause) {
        return new IllegalStateException("a function of ISA-L can't be called", cause);
    }
}
