package io.sdds.cli.command.table;

import io.sdds.core.model.Parity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the parity of a table from the command line: {@code 4,2}. */
public final class ParityName implements ITypeConverter<Parity> {
    @Override
    public Parity convert(String text) {
        try {
            return Parity.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
