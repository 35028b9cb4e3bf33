package io.sdds.sql.schema;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;

/** Makes types whose texts may have all characters. */
public final class SddsTypeFactory extends JavaTypeFactoryImpl {
    public SddsTypeFactory() {
        super(SddsTypeSystem.INSTANCE);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
