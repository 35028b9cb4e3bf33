package io.sdds.sql.schema;

import com.google.common.collect.ImmutableMultimap;
import com.google.common.collect.Multimap;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.jspecify.annotations.Nullable;

/** Functions that SQL lacks. Calcite finds them by reflection, so that the class is public. */
public final class Functions {
    /** The name of the function that reads bytes as text. */
    public static final String UTF8 = "utf8";

    static final Multimap<String, Function> ALL = ImmutableMultimap.of(
            UTF8, ScalarFunctionImpl.create(Types.lookupMethod(Functions.class, UTF8, ByteString.class)));

    private Functions() {}

    /** The text that bytes are as UTF-8. A cast of bytes to text gives hexadecimal digits, as the standard has it. */
    public static @Nullable String utf8(@Nullable ByteString bytes) {
        if (bytes == null) {
            return null;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StatementEnd("the bytes x'" + bytes + "' are no UTF-8", SqlErrors.DATA, e);
        }
    }
}
